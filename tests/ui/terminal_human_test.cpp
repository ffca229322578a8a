#include "ui/terminal_human.h"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <future>

#include "ui/pseudo_terminal.h"

namespace agneto::ui {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* words_prompt = "(one line; 'e' opens your editor): ";

// A variable of the environment for one test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value, 1);
  }
  ~Variable() {
    if (old_) {
      setenv(name_, old_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

template <typename T>
T get(std::future<T> future) {
  if (future.wait_for(std::chrono::milliseconds(PseudoTerminal::patience_ms)) !=
      std::future_status::ready) {
    throw std::runtime_error("no answer was given");
  }
  return future.get();
}

template <typename T>
bool given(std::future<T>& future) {
  return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

// APPROVED, EDITED (with a text to edit), CHANGE (words required), SKIP (words optional).
run::Question gate() {
  run::Question question;
  question.ask.path = "TASK#1/GATE#2";
  question.ask.question = "Carry out this plan?";
  question.ask.show = "# Plan\n\n1. Shout.";
  question.ask.options = {
      {"APPROVED", "Yes, carry it out", model::Need::none, std::nullopt},
      {"EDITED", "Yes, after I have edited it", model::Need::none, "The plan.\n"},
      {"CHANGE", "No, change it as I say", model::Need::required, std::nullopt},
      {"SKIP", "Skip it", model::Need::optional, std::nullopt}};
  return question;
}

run::Question wants_words(model::Need need) {
  run::Question question;
  question.ask.path = "CLARIFYING#1";
  question.ask.question = "How loud?";
  question.ask.text = need;
  return question;
}

// Nine o'clock, here and always.
class StillClock : public Clock {
 public:
  Time now() const override { return Time(std::chrono::hours(9)); }
  Millis elapsed() const override { return Millis(0); }
  bool sleep(Millis, std::stop_token) override { return true; }
};

class TerminalHumanTest : public testing::Test {
 protected:
  std::future<run::Answer> ask(const run::Question& question) {
    auto promise = std::make_shared<std::promise<run::Answer>>();
    keep_.push_back(promise);
    human_.ask(question, [promise](run::Answer answer) { promise->set_value(std::move(answer)); });
    return promise->get_future();
  }
  // The words that go with the gate's option `n`, where that is typed for them.
  std::string words_typed(const std::string& typed) {
    auto answer = ask(gate());
    terminal_.shows("\n> ");
    terminal_.type("n\n");
    terminal_.shows(words_prompt);
    terminal_.type(typed);
    return get(std::move(answer)).feedback;
  }
  std::future<run::Interrupt> interrupt() {
    auto promise = std::make_shared<std::promise<run::Interrupt>>();
    keep_.push_back(promise);
    human_.interrupted([promise](run::Interrupt chosen) { promise->set_value(std::move(chosen)); });
    return promise->get_future();
  }

  std::vector<std::shared_ptr<void>> keep_;  // so that a question that is dropped gives nothing
  PseudoTerminal terminal_;
  Screen screen_{terminal_.file(), {}};
  StillClock clock_;
  TerminalHuman human_{screen_, clock_, terminal_.program()};
};

TEST_F(TerminalHumanTest, ShowsTheMaterialAndTheOptions) {
  run::Question question = gate();
  question.diff = "diff --git a/greet b/greet\n@@ -1 +1,2 @@\n-a\n+b\n+c\n";
  auto answer = ask(question);
  EXPECT_EQ(terminal_.shows("\n> "),
            "\n── TASK/GATE #2 ──\n"
            "  Plan\n"
            "\n"
            "  1. Shout.\n"
            "\n"
            "  greet  +2 -1\n"
            "\n"
            "👤 Carry out this plan?\n"
            "  [y]  Yes, carry it out            APPROVED\n"
            "  [e]  Yes, after I have edited it  EDITED\n"
            "  [n]  No, change it as I say       CHANGE\n"
            "  [s]  Skip it                      SKIP\n"
            "  [v]  View all of it\n"
            "  [d]  View the diff\n"
            "> ");
  terminal_.type("y\n");
  run::Answer given = get(std::move(answer));
  EXPECT_EQ(given.option, "APPROVED");
  EXPECT_EQ(given.feedback, "");
  EXPECT_EQ(given.edited, std::nullopt);
}

TEST_F(TerminalHumanTest, SaysWhenTheQuestionIsTakenAwayWhatElseIsTakenAndWhatWasSpent) {
  run::Question question = gate();
  question.around.deadlines = {{clock_.now() + std::chrono::minutes(10), {}, {"NAGGING"}, true},
                               {clock_.now() + std::chrono::hours(30), {}, {"LATER", "NEVER"}}};
  question.around.events = {"build.finished", "stop"};
  question.spent = {12, {1.236}};
  auto answer = ask(question);
  EXPECT_THAT(
      terminal_.shows("\n> "),
      HasSubstr("👤 Carry out this plan?\n"
                "  in 10m (09:10:00) it may be taken away: → NAGGING\n"
                "  in 1d 6h (1970-01-02 15:00:00) it is taken away: → LATER or NEVER\n"
                "  events that are taken here: build.finished, stop (agneto send RUN EVENT)\n"
                "  so far: 12 agent calls · $1.24\n"
                "  [y]  Yes"));
}

TEST_F(TerminalHumanTest, ChoosesByNumberAndByName) {
  for (const char* typed : {"1\n", "approved\n", "  APPROVED \n"}) {
    auto answer = ask(gate());
    terminal_.shows("\n> ");
    terminal_.type(typed);
    EXPECT_EQ(get(std::move(answer)).option, "APPROVED") << typed;
  }
}

TEST_F(TerminalHumanTest, WhatIsNoOptionIsNoAnswer) {
  auto answer = ask(gate());
  terminal_.shows("\n> ");
  terminal_.type("maybe\x1b[2J\n");
  EXPECT_THAT(terminal_.shows("\n> "),
              testing::StartsWith("  'maybe' is none of these; type a key or a name.\n  [y]  Yes"));
  terminal_.type("\n");
  terminal_.shows("\n> ");
  EXPECT_FALSE(given(answer));
  terminal_.type("n\n");
  terminal_.shows(words_prompt);
  terminal_.type("words\n");
  EXPECT_EQ(get(std::move(answer)).option, "CHANGE");
}

TEST_F(TerminalHumanTest, WhatWasTypedBeforeTheQuestionIsNoAnswer) {
  terminal_.type("y\n");
  terminal_.arrived();
  auto answer = ask(gate());
  terminal_.shows("\n> ");
  terminal_.type("s\n");
  terminal_.shows(words_prompt);
  terminal_.type("\n");
  EXPECT_EQ(get(std::move(answer)).option, "SKIP");
}

TEST_F(TerminalHumanTest, RequiredWordsAreAskedForUntilTheyAreGiven) {
  auto answer = ask(gate());
  terminal_.shows("\n> ");
  terminal_.type("n\n");
  terminal_.shows("  What should change (one line; 'e' opens your editor): ");
  terminal_.type("  \n");
  EXPECT_THAT(terminal_.shows("\n> "), testing::StartsWith("  CHANGE needs words.\n  [y]  Yes"));
  EXPECT_FALSE(given(answer));
  terminal_.type("n\n");
  terminal_.shows(words_prompt);
  terminal_.type(" Say it simpler. \n");
  run::Answer words = get(std::move(answer));
  EXPECT_EQ(words.option, "CHANGE");
  EXPECT_EQ(words.feedback, "Say it simpler.");
}

TEST_F(TerminalHumanTest, OptionalWordsMayBeEmpty) {
  auto answer = ask(gate());
  terminal_.shows("\n> ");
  terminal_.type("s\n");
  terminal_.shows("  Anything to say, may be empty (one line; 'e' opens your editor): ");
  terminal_.type("\n");
  EXPECT_EQ(get(std::move(answer)).feedback, "");
}

TEST_F(TerminalHumanTest, PastedLinesStayTogether) {
  EXPECT_EQ(words_typed("one\n\nthree\n"), "one\n\nthree");
}

TEST_F(TerminalHumanTest, WordsFromAnEditor) {
  Variable visual("VISUAL", "");
  Variable editor("EDITOR", "sh -c 'printf \"one\\ntwo\\n\" > \"$0\"'");
  EXPECT_EQ(words_typed("e\n"), "one\ntwo");
}

TEST_F(TerminalHumanTest, AnOptionToEditOpensTheEditor) {
  Variable editor("VISUAL", "sh -c 'echo \"And be kind.\" >> \"$0\"'");
  auto answer = ask(gate());
  terminal_.shows("\n> ");
  terminal_.type("e\n");
  run::Answer edited = get(std::move(answer));
  EXPECT_EQ(edited.option, "EDITED");
  EXPECT_EQ(edited.edited, "The plan.\nAnd be kind.\n");
}

// Who leaves the editor without a change has not edited, and has not said yes either.
TEST_F(TerminalHumanTest, AnOptionToEditIsNotChosenByChangingNothing) {
  for (const char* command : {"true", "sh -c ': > \"$0\"'"}) {
    Variable editor("VISUAL", command);
    auto answer = ask(gate());
    terminal_.shows("\n> ");
    terminal_.type("e\n");
    EXPECT_THAT(terminal_.shows("\n> "),
                testing::StartsWith("  Nothing was edited, so nothing was chosen.\n  [y]  Yes"));
    EXPECT_FALSE(given(answer)) << command;
    terminal_.type("y\n");
    EXPECT_EQ(get(std::move(answer)).option, "APPROVED");
  }
}

TEST_F(TerminalHumanTest, AnEditorThatFailsGivesNoAnswer) {
  Variable editor("VISUAL", "false");
  auto answer = ask(gate());
  terminal_.shows("\n> ");
  terminal_.type("e\n");
  EXPECT_THAT(terminal_.shows("\n> "),
              testing::StartsWith("  the editor 'false' failed, its text is not taken; set EDITOR "
                                  "to one that works here.\n"));
  EXPECT_FALSE(given(answer));
  terminal_.type("s\n");
  terminal_.shows(words_prompt);
  terminal_.type("e\n");
  terminal_.shows("  the editor 'false' failed, its text is not taken; ");
  terminal_.shows("\n> ");
  EXPECT_FALSE(given(answer)) << "no words are not empty words";
  terminal_.type("y\n");
  EXPECT_EQ(get(std::move(answer)).option, "APPROVED");
}

TEST_F(TerminalHumanTest, APagerShowsAllOfIt) {
  Variable pager("PAGER", "cat");
  run::Question question = gate();
  for (int i = 0; i < 200; ++i) question.ask.show += "\nline " + std::to_string(i);
  question.ask.show += "\x1b[2J";
  question.diff = "diff --git a/greet b/greet\n@@ -1 +1 @@\n-a\n+b\n";
  auto answer = ask(question);
  EXPECT_THAT(terminal_.shows("\n> "), Not(HasSubstr("line 199")));
  terminal_.type("v\n");
  EXPECT_THAT(terminal_.shows("\n> "),
              testing::AllOf(testing::StartsWith("# Plan\n\n1. Shout.\nline 0\n"),
                             HasSubstr("\nline 199"), Not(HasSubstr("\x1b"))));
  terminal_.type("d\n");
  EXPECT_THAT(terminal_.shows("\n> "),
              testing::StartsWith("diff --git a/greet b/greet\n@@ -1 +1 @@\n-a\n+b\n"));
  terminal_.type("y\n");
  EXPECT_EQ(get(std::move(answer)).option, "APPROVED");
}

TEST_F(TerminalHumanTest, WithoutAPagerTheTextIsShownHere) {
  Variable pager("PAGER", "/no/such/pager 2>/dev/null");
  auto answer = ask(gate());
  terminal_.shows("\n> ");
  terminal_.type("v\n");
  EXPECT_THAT(terminal_.shows("\n> "), testing::StartsWith("# Plan\n\n1. Shout.\n"));
}

TEST_F(TerminalHumanTest, AQuestionForWords) {
  auto answer = ask(wants_words(model::Need::required));
  EXPECT_EQ(terminal_.shows(words_prompt),
            "\n── CLARIFYING ──\n👤 How loud?\n"
            "  Your answer (one line; 'e' opens your editor): ");
  terminal_.type("\n");
  EXPECT_THAT(terminal_.shows(words_prompt),
              testing::StartsWith("  This needs an answer in words.\n"));
  terminal_.type("very loud\n");
  run::Answer words = get(std::move(answer));
  EXPECT_EQ(words.option, "");
  EXPECT_EQ(words.feedback, "very loud");
}

TEST_F(TerminalHumanTest, AQuestionForWordsThatMayBeEmpty) {
  auto answer = ask(wants_words(model::Need::optional));
  terminal_.shows("  Your answer, may be empty (one line; 'e' opens your editor): ");
  terminal_.type("\n");
  EXPECT_EQ(get(std::move(answer)).feedback, "");
}

TEST_F(TerminalHumanTest, QuestionsAreAskedOneAfterAnother) {
  auto first = ask(gate());
  auto second = ask(wants_words(model::Need::required));
  terminal_.shows("\n> ");
  terminal_.type("y\n");
  EXPECT_EQ(get(std::move(first)).option, "APPROVED");
  terminal_.shows(words_prompt);
  terminal_.type("loud\n");
  EXPECT_EQ(get(std::move(second)).feedback, "loud");
}

TEST_F(TerminalHumanTest, AWithdrawnQuestionIsLeft) {
  auto first = ask(gate());
  auto second = ask(wants_words(model::Need::required));
  terminal_.shows("\n> ");
  human_.withdraw("TASK#1/GATE#2", "");
  EXPECT_THAT(terminal_.shows(words_prompt),
              testing::StartsWith("\n  (this question is not asked any more)\n"));
  terminal_.type("loud\n");
  EXPECT_EQ(get(std::move(second)).feedback, "loud");
  EXPECT_FALSE(given(first));
}

TEST_F(TerminalHumanTest, WhyAQuestionIsWithdrawnIsSaid) {
  auto first = ask(gate());
  auto second = ask(wants_words(model::Need::required));
  terminal_.shows("\n> ");
  human_.withdraw("TASK#1/GATE#2", "answered elsewhere: APPROVED");
  EXPECT_THAT(terminal_.shows(words_prompt),
              testing::StartsWith("\n  (answered elsewhere: APPROVED)\n"));
  EXPECT_FALSE(given(first));
}

TEST_F(TerminalHumanTest, WhatIsHalfTypedWhenAQuestionIsWithdrawnGoesToNobody) {
  auto first = ask(gate());
  terminal_.shows("\n> ");
  terminal_.type("n\n");
  terminal_.shows(words_prompt);
  terminal_.type("Say it sim");
  human_.withdraw("TASK#1/GATE#2", "its time is up: → LATER");
  EXPECT_EQ(terminal_.shows(")\n"),
            "\n  (its time is up: → LATER; what you have typed is not taken)\n");
  EXPECT_FALSE(terminal_.has_input());
  auto second = ask(wants_words(model::Need::required));
  terminal_.shows(words_prompt);
  terminal_.type("loud\n");
  EXPECT_EQ(get(std::move(second)).feedback, "loud");
  EXPECT_FALSE(given(first));
}

TEST_F(TerminalHumanTest, APagerEndsWithTheQuestionAndAnEditorIsLeftToThePerson) {
  Variable pager("PAGER", "sh -c 'echo paging; exec sleep 1000'");
  auto first = ask(gate());
  terminal_.shows("\n> ");
  terminal_.type("v\n");
  terminal_.shows("paging");
  human_.withdraw("TASK#1/GATE#2", "its time is up: → LATER");
  terminal_.shows("  (its time is up: → LATER)\n");

  Variable editor("VISUAL", "sh -c 'echo editing; read -r line; echo \"$line\" > \"$0\"'");
  auto second = ask(gate());
  terminal_.shows("\n> ");
  terminal_.type("e\n");
  terminal_.shows("editing\n");
  human_.withdraw("TASK#1/GATE#2", "answered elsewhere: APPROVED");
  terminal_.type("My own plan.\n");
  EXPECT_EQ(terminal_.shows(")\n"),
            "\n  │ My own plan.\n"
            "  (answered elsewhere: APPROVED; what you have typed is not taken)\n");
  EXPECT_FALSE(given(first));
  EXPECT_FALSE(given(second));
}

TEST_F(TerminalHumanTest, AQuestionWithdrawnBeforeItsTurnIsNeverAsked) {
  auto first = ask(gate());
  auto second = ask(wants_words(model::Need::required));
  terminal_.shows("\n> ");
  human_.withdraw("CLARIFYING#1", "");
  terminal_.type("y\n");
  EXPECT_EQ(get(std::move(first)).option, "APPROVED");
  auto third = ask(gate());
  EXPECT_THAT(terminal_.shows("\n> "), Not(HasSubstr("How loud?")));
}

TEST_F(TerminalHumanTest, LinesWaitUntilTheQuestionIsAnswered) {
  auto answer = ask(gate());
  terminal_.shows("\n> ");
  screen_.line("meanwhile");
  terminal_.type("maybe\n");
  EXPECT_THAT(terminal_.shows("\n> "), Not(HasSubstr("meanwhile")));
  terminal_.type("y\n");
  EXPECT_EQ(terminal_.shows("meanwhile\n"), "meanwhile\n");
}

TEST_F(TerminalHumanTest, CtrlCOffersWhatToDo) {
  using Kind = run::Interrupt::Kind;
  for (auto [typed, kind] :
       {std::pair{"c\n", Kind::resume}, {"abort\n", Kind::abort}, {"s\n", Kind::suspend}}) {
    auto chosen = interrupt();
    EXPECT_EQ(terminal_.shows("\n> "),
              "\nPaused. What now?\n"
              "  [c]  Continue\n"
              "  [i]  Instruct: add words for the next agent\n"
              "  [f]  Finish: let what is under way end, then stop\n"
              "  [s]  Suspend: stop here, resume later (as a second Ctrl+C does)\n"
              "  [a]  Abort: end the run, keep the branch\n"
              "> ");
    terminal_.type(typed);
    EXPECT_EQ(get(std::move(chosen)).kind, kind) << typed;
  }
}

TEST_F(TerminalHumanTest, AbortIsAskedForTwice) {
  auto chosen = interrupt();
  for (const char* typed : {"\n", "no\n", "abort\n"}) {
    terminal_.shows("\n> ");
    terminal_.type("a\n");
    terminal_.shows("  That ends the run for good. Type 'abort' to do it: ");
    EXPECT_FALSE(given(chosen)) << typed;
    terminal_.type(typed);
  }
  EXPECT_EQ(get(std::move(chosen)).kind, run::Interrupt::Kind::abort);
}

TEST_F(TerminalHumanTest, AnOptionThatAbortsTheRunIsAskedForTwice) {
  run::Question question = gate();
  question.around.aborting = {"abort", "SKIP"};
  auto answer = ask(question);
  for (const char* typed : {"\n", "no\n", "SKIP\n", "y\n"}) {
    terminal_.shows("\n> ");
    terminal_.type("s\n");
    terminal_.shows("  That ends the run for good. Abort it? [y/N] ");
    EXPECT_FALSE(given(answer)) << typed;
    terminal_.type(typed);
  }
  terminal_.shows("Anything to say, may be empty (one line; 'e' opens your editor): ");
  terminal_.type("\n");
  EXPECT_EQ(get(std::move(answer)).option, "SKIP");

  answer = ask(question);
  terminal_.shows("\n> ");
  terminal_.type("SKIP\n");
  terminal_.shows("Anything to say, may be empty (one line; 'e' opens your editor): ");
  terminal_.type("\n");
  EXPECT_EQ(get(std::move(answer)).option, "SKIP") << "who writes the name means it";
}

TEST_F(TerminalHumanTest, NothingIsAskedOfWhoSuspended) {
  auto answer = ask(gate());
  terminal_.shows("\n> ");
  auto chosen = interrupt();
  terminal_.shows("Paused. What now?\n");
  terminal_.shows("\n> ");
  terminal_.type("s\n");
  EXPECT_EQ(get(std::move(chosen)).kind, run::Interrupt::Kind::suspend);
  screen_.line("suspended");
  EXPECT_EQ(terminal_.shows("suspended\n"), "suspended\n");
  EXPECT_FALSE(given(answer));
}

TEST_F(TerminalHumanTest, CtrlCTakesAnInstruction) {
  auto chosen = interrupt();
  terminal_.shows("\n> ");
  terminal_.type("x\n");
  EXPECT_THAT(terminal_.shows("\n> "),
              testing::StartsWith("  'x' is none of these; type a key.\n\nPaused."));
  terminal_.type("i\n");
  terminal_.shows("  Tell the next agent (one line; 'e' opens your editor): ");
  terminal_.type("\n");
  terminal_.shows("\n> ");
  terminal_.type("i\n");
  terminal_.shows(words_prompt);
  terminal_.type("Mention the tea.\n");
  run::Interrupt interrupt = get(std::move(chosen));
  EXPECT_EQ(interrupt.kind, run::Interrupt::Kind::instruct);
  EXPECT_EQ(interrupt.instruction, "Mention the tea.");
  terminal_.shows("  The next agent will be told.\n");
}

TEST_F(TerminalHumanTest, CtrlCComesBeforeTheQuestionWhichIsAskedAgain) {
  auto answer = ask(gate());
  terminal_.shows("\n> ");
  terminal_.type("n\n");
  terminal_.shows(words_prompt);
  auto chosen = interrupt();
  terminal_.shows("Paused. What now?\n");
  terminal_.shows("\n> ");
  terminal_.type("c\n");
  EXPECT_EQ(get(std::move(chosen)).kind, run::Interrupt::Kind::resume);
  terminal_.shows("👤 Carry out this plan?\n");
  terminal_.shows("\n> ");
  terminal_.type("y\n");
  EXPECT_EQ(get(std::move(answer)).option, "APPROVED");
}

TEST_F(TerminalHumanTest, AQuestionWithdrawnDuringThePauseDoesNotEndThePause) {
  auto answer = ask(gate());
  terminal_.shows("\n> ");
  auto chosen = interrupt();
  terminal_.shows("Paused. What now?\n");
  terminal_.shows("\n> ");
  human_.withdraw("TASK#1/GATE#2", "");
  terminal_.type("s\n");
  EXPECT_EQ(get(std::move(chosen)).kind, run::Interrupt::Kind::suspend);
  EXPECT_FALSE(given(answer));
}

TEST(TerminalHumanEndTest, TheEndOfTheInputIsAHangUp) {
  sigset_t hang_up, old;
  sigemptyset(&hang_up);
  sigaddset(&hang_up, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &hang_up, &old);
  {
    PseudoTerminal terminal;
    Screen screen(terminal.file(), {});
    StillClock clock;
    TerminalHuman human(screen, clock, terminal.program());
    bool answered = false;
    human.ask(gate(), [&](run::Answer) { answered = true; });
    terminal.shows("\n> ");
    terminal.type("\x04");
    timespec patience{PseudoTerminal::patience_ms / 1000, 0};
    EXPECT_EQ(sigtimedwait(&hang_up, nullptr, &patience), SIGHUP);
    EXPECT_FALSE(answered);
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

TEST(TerminalHumanEndTest, WhatAnEditorHasKeptAtTheEndOfTheRunStays) {
  Variable editor(
      "VISUAL", "sh -c 'echo mine > \"$0.save\"; echo editing; trap \"exit 1\" TERM; sleep 1000'");
  PseudoTerminal terminal;
  Screen screen(terminal.file(), {});
  StillClock clock;
  {
    TerminalHuman human(screen, clock, terminal.program());
    human.ask(gate(), [](run::Answer) { FAIL() << "nobody answered"; });
    terminal.shows("\n> ");
    terminal.type("e\n");
    terminal.shows("editing\n");
  }
  const std::string start = "  the editor was ended; what it has kept is in '";
  terminal.shows(start);
  std::string folder = terminal.shows("'.\n");
  folder.resize(folder.find('\''));
  EXPECT_TRUE(std::filesystem::exists(folder + "/edit.md.save")) << folder;
  std::filesystem::remove_all(folder);
}

TEST(TerminalHumanEndTest, TheEndOfTheRunEndsQuestionAndEditor) {
  Variable editor("VISUAL", "sh -c 'echo editing; exec sleep 1000'");
  PseudoTerminal terminal;
  Screen screen(terminal.file(), {});
  StillClock clock;
  {
    TerminalHuman human(screen, clock, terminal.program());
    human.ask(gate(), [](run::Answer) { FAIL() << "nobody answered"; });
    terminal.shows("\n> ");
    terminal.type("e\n");
    terminal.shows("editing");
  }
  {
    TerminalHuman human(screen, clock, terminal.program());
    human.interrupted([](run::Interrupt) { FAIL() << "nobody answered"; });
    terminal.shows("Paused. What now?");
  }
}

TEST(TerminalHumanThatRedrawsTest, TheBellRingsOnceForAQuestion) {
  PseudoTerminal terminal;
  Screen screen(terminal.file(), {false, true});
  StillClock clock;
  TerminalHuman human(screen, clock, terminal.program());
  for (const char* path : {"GATE#1", "GATE#2"}) {
    run::Question question = gate();
    question.ask.path = path;
    human.ask(question, [](run::Answer) {});
    EXPECT_THAT(terminal.shows("\n> "), testing::StartsWith("\a\n── GATE"));
    human.interrupted([](run::Interrupt) {});
    EXPECT_THAT(terminal.shows("\n> "), HasSubstr("Paused. What now?\n"));
    terminal.type("c\n");
    EXPECT_THAT(terminal.shows("\n> "), Not(HasSubstr("\a"))) << "that was put before";
    terminal.type("y\n");
  }
}

TEST(ScreenOnATerminalTest, AStatusFitsWhateverSizeTheTerminalHasNow) {
  PseudoTerminal terminal(80, 24);
  Screen screen(terminal.file(), {false, true});
  screen.status({std::string(90, 'x'), "short"});
  EXPECT_EQ(terminal.shows("A"), "\x1b[?7l" + std::string(78, 'x') + "…\nshort\x1b[?7h\r\x1b[1A");
  terminal.resize(30, 4);
  screen.status({"first", std::string(70, 'y'), "last"});
  EXPECT_EQ(terminal.shows("A"),
            "\r \x1b[J\r\x1b[?7l" + std::string(28, 'y') + "…\nlast\x1b[?7h\r\x1b[1A");
}

}  // namespace
}  // namespace agneto::ui
