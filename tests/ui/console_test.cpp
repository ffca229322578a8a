#include "ui/console.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <ctime>

#include "ui/paper.h"

namespace agneto::ui {
namespace {

workspace::BranchWork look(const std::string& base, const std::string& branch) {
  if (branch.empty()) return {};
  return {"git log -p " + base + ".." + branch, false, {}};
}

class ConsoleTest : public testing::Test {
 protected:
  ConsoleTest() {
    setenv("TZ", "UTC", 1);
    tzset();
  }

  // With these fields, and others as they begin.
  void tell(Console& console, const std::string& kind, const std::string& path = "",
            const Json& data = Json::object()) {
    record::EventBody body;
    become(body, kind);
    Json whole = record::body_json(body);
    whole.update(data);
    tell(console, path, record::event_body(kind, whole));
  }

  void tell(Console& console, const std::string& path, record::EventBody body) {
    now_ += Millis(500);
    console.event({now_, "shout-1", path, std::move(body)});
  }

  void start(Console& console) {
    tell(console, "run.started", "",
         {{"workflow", "agneto"},
          {"task", "add a --shout flag\nand more"},
          {"branch", "agneto/shout-1"},
          {"base", "main"},
          {"provider", "offline"}});
  }

  void begin(Console& console, const std::string& path, const std::string& agent, int attempt = 1) {
    tell(console, "agent.started", path,
         {{"agent", agent}, {"provider", "claude"}, {"model", "opus"}, {"attempt", attempt}});
  }

  void end(Console& console, const std::string& path, const std::string& agent,
           const std::string& verdict, Json fields) {
    tell(console, "agent.finished", path,
         {{"agent", agent},
          {"verdict", verdict},
          {"fields", std::move(fields)},
          {"calls", ++calls_},
          {"cost", 0.25 * calls_}});
  }

  Time now_{std::chrono::hours(9)};
  int calls_ = 0;
};

TEST_F(ConsoleTest, ARunAsPlainLines) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, false, look);
  start(console);
  tell(console, "state.entered", "PLANNING#1", {{"state", "PLANNING"}, {"stage", true}});
  begin(console, "PLANNING#1", "planner");
  tell(console, "agent.text", "PLANNING#1", {{"text", "thinking"}});
  tell(console, "agent.tool", "PLANNING#1", {{"tool", "Read a.c"}});
  tell(console, "agent.retry", "PLANNING#1", {{"reason", "the reply is empty\nagain in 2s"}});
  begin(console, "PLANNING#1", "planner", 2);
  end(console, "PLANNING#1", "planner", "PLAN_CREATED", {{"plan", "# Plan\n\n1. All of it."}});
  tell(console, "question.asked", "GATE#1", {{"question", "Carry out\x1b[2J this plan?"}});
  tell(console, "question.answered", "GATE#1",
       {{"option", "NO"}, {"feedback", "Say it\nsimpler."}, {"by", "person"}});
  tell(console, "question.answered", "GATE#2",
       {{"option", "YES"}, {"feedback", ""}, {"by", "default"}});
  tell(console, "question.answered", "WORDS#1",
       {{"option", ""}, {"feedback", "very loud"}, {"by", "person"}});
  tell(console, "state.entered", "EXECUTING#1", {{"state", "EXECUTING"}, {"stage", true}});
  tell(console, "state.entered", "EXECUTING#1/X#1", {{"state", "X"}, {"stage", false}});
  begin(console, "EXECUTING#1/REVIEWER#3", "reviewer");
  tell(console, "workspace.undone", "EXECUTING#1/REVIEWER#3", {{"agent", "reviewer"}});
  end(console, "EXECUTING#1/REVIEWER#3", "reviewer", "error.timeout",
      {{"message", "no word for 15m"}});
  tell(console, "command.started", "EXECUTING#1/VERIFYING#1",
       {{"argv", {"/bin/sh", "-c", "sh test.sh"}}});
  tell(console, "command.output", "EXECUTING#1/VERIFYING#1", {{"line", "ok 1"}});
  tell(console, "command.finished", "EXECUTING#1/VERIFYING#1",
       {{"event", "failed"},
        {"message", "sh exited with 1"},
        {"output", {"1..2", "  not ok\x1b[2J 2"}}});
  tell(console, "workspace.committed", "EXECUTING#1/COMMITTING#1",
       {{"commit", "0123456789abcdef"}, {"subject", "Shout"}});
  tell(console, "workspace.committed", "EXECUTING#1/COMMITTING#2", {{"commit", ""}});
  tell(console, "workspace.discarded", "EXECUTING#1/REJECTED#1", {{"commit", "01234567"}});
  tell(console, "workspace.refused", "MERGING#1", {{"message", "a conflict in greet"}});
  tell(console, "workspace.merged", "MERGING#1", {{"commit", "fedcba9876"}, {"into", "main"}});
  tell(console, "workspace.merged", "MERGING#2", {{"commit", ""}, {"into", "main"}});
  tell(console, "note", "", {{"text", "going on"}});
  tell(console, "problem", "EXECUTING#1",
       {{"event", "error.lua"}, {"message", "line 1\n  line 2"}});
  tell(console, "problem.caught", "EXECUTING#1/GATE#1",
       {{"event", "error.lua"}, {"message", "flow.yaml:5: no"}});
  tell(
      console, "transition", "",
      {{"event", "error.lua"}, {"from", "GATE"}, {"to", {"AGAIN"}}, {"line", 7}, {"instance", ""}});
  tell(console, "activity.refused", "EXECUTING#1/PANEL#1",
       {{"event", "error.lua"}, {"message", "'items' must give a list, found null"}});
  tell(console, "run.paused");
  EXPECT_EQ(
      paper.read(),
      "shout-1  add a --shout flag …\n"
      "  workflow agneto · branch agneto/shout-1 from main · agents: offline\n"
      "09:00:01  PLANNING                          planner is at work (claude opus)\n"
      "09:00:03  PLANNING                          the reply is empty again in 2s\n"
      "09:00:03  PLANNING                          planner is at work (claude opus, attempt 2)\n"
      "09:00:04  PLANNING                          planner → PLAN_CREATED: Plan … (2.5s)\n"
      "09:00:04  GATE                              ❓ Carry out this plan?\n"
      "09:00:05  GATE                              👤 NO: Say it …\n"
      "09:00:05  GATE #2                           👤 YES (the default: nobody to ask)\n"
      "09:00:06  WORDS                             👤 answered: very loud\n"
      "09:00:07  EXECUTING/REVIEWER #3             reviewer is at work (claude opus)\n"
      "09:00:08  EXECUTING/REVIEWER #3             reviewer may only read, but changed files: "
      "undone\n"
      "09:00:08  EXECUTING/REVIEWER #3             reviewer → error.timeout: no word for 15m (1s)\n"
      "09:00:09  EXECUTING/VERIFYING               runs: sh test.sh\n"
      "09:00:10  EXECUTING/VERIFYING               sh test.sh → failed: sh exited with 1 (1s)\n"
      "          │ 1..2\n"
      "          │   not ok 2\n"
      "09:00:10  EXECUTING/COMMITTING              committed 01234567 Shout\n"
      "09:00:11  EXECUTING/COMMITTING #2           nothing to commit\n"
      "09:00:11  EXECUTING/REJECTED                uncommitted edits discarded\n"
      "09:00:12  MERGING                           a conflict in greet\n"
      "09:00:12  MERGING                           merged into main as fedcba98\n"
      "09:00:13  MERGING #2                        nothing to merge into main\n"
      "09:00:13                                    going on\n"
      "09:00:14  EXECUTING                         error.lua: line 1 line 2\n"
      "09:00:14  EXECUTING/GATE                    error.lua: flow.yaml:5: no\n"
      "09:00:15                                    GATE → AGAIN for error.lua (line 7)\n"
      "09:00:15  EXECUTING/PANEL                   cannot begin: error.lua: 'items' must give a "
      "list, found null\n"
      "09:00:16                                    paused: nothing new starts\n");
}

TEST_F(ConsoleTest, ACallThatIsMadeAnewAfterAKillHasNotTakenTheTimeBetween) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, false, look);
  begin(console, "CODING#1", "coder");
  tell(console, "run.resumed");
  begin(console, "CODING#1", "coder");
  end(console, "CODING#1", "coder", "DONE", Json::object());
  EXPECT_THAT(paper.read(), ::testing::EndsWith("coder → DONE (500ms)\n"));
}

TEST_F(ConsoleTest, APauseWithNoCallUnderWaySpeaksOfNone) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  tell(console, "run.paused");
  EXPECT_EQ(paper.read(),
            "09:00:00                                    paused: nothing new starts\n");
}

TEST_F(ConsoleTest, ATerminalThatCannotRedrawIsAskedOnce) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  tell(console, "question.asked", "GATE#1", {{"question", "Carry out this plan?"}});
  EXPECT_EQ(paper.read(), "");
}

// A failure is what one looks for in a log: a file has all of it, a terminal its beginning.
TEST_F(ConsoleTest, FailuresAreCutOnATerminalOnly) {
  const std::string why = "it broke " + std::string(300, 'x');
  for (bool redraws : {false, true}) {
    Paper paper(redraws ? terminal : plain);
    Screen screen(paper.file(), paper.style());
    Console console(screen, redraws, look);
    end(console, "CODING#1", "coder", "error.exit", {{"message", why}});
    tell(console, "command.finished", "TESTING#1", {{"event", "failed"}, {"message", why}});
    tell(console, "agent.retry", "CODING#1", {{"reason", why}});
    std::string text = paper.read();
    EXPECT_EQ(text.find("…") != std::string::npos, redraws);
    EXPECT_EQ(text.find(std::string(300, 'x')) == std::string::npos, redraws) << text;
  }
}

TEST_F(ConsoleTest, WhatWasCancelledIsNeitherASuccessNorAFailure) {
  Paper paper(colourful);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  begin(console, "PANEL#1[2]/CODING#1", "coder");
  tell(console, "command.started", "TESTING#1", {{"argv", {"make", "test"}}});
  paper.read();
  end(console, "PANEL#1[2]/CODING#1", "coder", "cancelled", nullptr);
  tell(console, "command.finished", "TESTING#1", {{"event", "cancelled"}});
  const std::string log = paper.read();
  EXPECT_THAT(log, testing::HasSubstr("\x1b[33mcoder → cancelled\x1b[0m\x1b[2m (1s)\x1b[0m\n"));
  EXPECT_THAT(log, testing::HasSubstr("\x1b[33mmake test → cancelled\x1b[0m\x1b[2m (1s)\x1b[0m\n"));
}

TEST_F(ConsoleTest, WhatWorksForAnItemSaysForWhich) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, false, look);
  tell(console, "agent.started", "PANEL#1[2]/CODING#1",
       {{"agent", "coder"}, {"provider", "claude"}, {"attempt", 1}, {"item", "src/\x1b[2Ja.cpp"}});
  end(console, "PANEL#1[2]/CODING#1", "coder", "DONE", {{"summary", "Shout"}});
  tell(console, "command.started", "PANEL#1[2]/TESTING#1",
       {{"argv", {"make", "test"}}, {"item", "src/a.cpp"}});
  tell(console, "command.finished", "PANEL#1[2]/TESTING#1", {{"event", "ok"}});
  EXPECT_EQ(paper.read(),
            "09:00:00  PANEL[2]/CODING                   coder on src/a.cpp is at work (claude)\n"
            "09:00:01  PANEL[2]/CODING                   coder on src/a.cpp → DONE: Shout (500ms)\n"
            "09:00:01  PANEL[2]/TESTING                  runs: make test\n"
            "09:00:02  PANEL[2]/TESTING                  make test on src/a.cpp → ok (500ms)\n");
}

TEST_F(ConsoleTest, ARefusedMergeIsExplainedOnce) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  tell(console, "workspace.refused", "MERGING#1", {{"message", "a conflict in greet"}});
  tell(console, "run.finished", "",
       {{"outcome", "DONE"},
        {"status", "complete"},
        {"outputs", {{"merged", false}, {"reason", "a conflict in greet"}}},
        {"branch", "agneto/shout-1"},
        {"base", "main"},
        {"calls", 1},
        {"ms", 300}});
  EXPECT_EQ(paper.read(),
            "09:00:00  MERGING                           a conflict in greet\n"
            "\n"
            "DONE (complete), not merged: see above\n"
            "  path    \n"
            "  effort  1 agent call · 300ms\n"
            "  look    git log -p main..agneto/shout-1\n"
            "  merge   git merge --squash agneto/shout-1\n");
}

TEST_F(ConsoleTest, WhatItemsBroughtBack) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  tell(console, "workspace.joined", "PANEL#1[2]/EACH#1",
       {{"items", {1}}, {"conflicts", Json::array()}});
  tell(console, "workspace.joined", "REVIEW#1",
       {{"items", {1}}, {"conflicts", Json::array()}, {"unchanged", {1}}});
  tell(console, "workspace.joined", "PANEL#1",
       {{"items", {1, 2, 3, 4, 5}},
        {"unchanged", {4, 5}},
        {"conflicts", {{{"item", 2}, {"branch", "agneto/r.PANEL.1.2"}, {"files", {"a", "b"}}}}}});
  EXPECT_EQ(paper.read(),
            "09:00:00  PANEL[2]/EACH                     the work of 1 item brought in\n"
            "09:00:01  REVIEW                            1 item changed nothing\n"
            "09:00:01  PANEL                             the work of 2 items brought in\n"
            "09:00:01  PANEL                             2 items changed nothing\n"
            "09:00:01  PANEL                             item 2 conflicts in a, b; its work is on "
            "agneto/r.PANEL.1.2\n");
}

TEST_F(ConsoleTest, TheEndOfARunThatMerged) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  for (const char* state : {"PLANNING", "PLANNING", "DONE"}) {
    tell(console, "state.entered", "", {{"state", state}, {"stage", true}});
  }
  tell(console, "run.finished", "",
       {{"outcome", "DONE"},
        {"status", "complete"},
        {"outputs",
         {{"merged", true},
          {"branch", "agneto/shout-1"},
          {"commit", "fedc"},
          {"reason", ""},
          {"summary", "It shouts.\nLoud."}}},
        {"reason", ""},
        {"branch", "agneto/shout-1"},
        {"base", "main"},
        {"calls", 19},
        {"cost", 1.5},
        {"input_tokens", 120'000},
        {"output_tokens", 3'456},
        {"ms", 65'000}});
  EXPECT_EQ(paper.read(),
            "\n"
            "DONE (complete)\n"
            "  path    PLANNING ×2 → DONE\n"
            "  effort  19 agent calls · $1.50 · 123k tokens · 1m 5s\n"
            "  summary It shouts. …\n"
            "  merged  agneto/shout-1 into main\n");
}

TEST_F(ConsoleTest, TheEndOfARunSaysWhereItsBranchIs) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  Json data = {{"outcome", "DONE"},
               {"status", "complete"},
               {"outputs", {{"merged", "no"}, {"reason", "merging was not asked for"}}},
               {"reason", ""},
               {"branch", "agneto/shout-1"},
               {"base", "main"},
               {"calls", 1},
               {"ms", 300}};
  tell(console, "run.finished", "", data);
  EXPECT_EQ(paper.read(),
            "\n"
            "DONE (complete): merging was not asked for\n"
            "  path    \n"
            "  effort  1 agent call · 300ms\n"
            "  look    git log -p main..agneto/shout-1\n"
            "  merge   git merge --squash agneto/shout-1\n");
  data["status"] = "failed";
  data["outcome"] = "ABANDONED";
  data["reason"] = "no plan";
  tell(console, "run.finished", "", data);
  EXPECT_EQ(paper.read(),
            "\n"
            "ABANDONED (failed): no plan\n"
            "  path    \n"
            "  effort  1 agent call · 300ms\n"
            "  look    git log -p main..agneto/shout-1\n");
}

TEST_F(ConsoleTest, TheEndOfARunWithoutCommitsHasNothingToLookAt) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true,
                  [](const std::string&, const std::string&) { return workspace::BranchWork(); });
  tell(console, "run.finished", "",
       {{"outcome", "DONE"},
        {"status", "complete"},
        {"branch", "agneto/shout-1"},
        {"base", "main"},
        {"calls", 1},
        {"ms", 300}});
  EXPECT_EQ(paper.read(),
            "\n"
            "DONE (complete)\n"
            "  path    \n"
            "  effort  1 agent call · 300ms\n");
}

TEST_F(ConsoleTest, AWorkflowWithoutARepositoryShowsItsOutputs) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  tell(console, "run.finished", "",
       {{"outcome", "DONE"},
        {"status", "complete"},
        {"outputs", {{"label", "bug"}, {"merged", 3}, {"empty", ""}}},
        {"calls", 2},
        {"ms", 0}});
  EXPECT_EQ(paper.read(),
            "\n"
            "DONE (complete)\n"
            "  path    \n"
            "  effort  2 agent calls · 0ms\n"
            "  label   bug\n"
            "  merged  3\n");
}

TEST_F(ConsoleTest, SuspendedSaysHowToAnswer) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  tell(console, "",
       record::RunSuspended{"a question waits for an answer",
                            record::Question{"GATE#1",
                                             "Good enough?",
                                             "",
                                             {{"YES", "Yes, finish it"},
                                              {"EDITED", "Edited", model::Need::none, true},
                                              {"RETRY", "No, plan again", model::Need::required}}},
                            {}});
  EXPECT_EQ(
      paper.read(),
      "09:00:00                                    suspended: a question waits for an answer\n"
      "\n"
      "  Good enough?\n"
      "    agneto resume shout-1 --answer YES   # Yes, finish it\n"
      "    agneto resume shout-1 --answer EDITED --edited FILE   # Edited\n"
      "    agneto resume shout-1 --answer RETRY --feedback \"…\"   # No, plan again\n");
  tell(console, "",
       record::RunSuspended{"r", record::Question{"WORDS#1", "Which?", "", {}, "", true}, {}});
  EXPECT_THAT(paper.read(),
              testing::EndsWith("\n\n  Which?\n    agneto resume shout-1 --feedback \"…\"\n"));
  tell(console, "",
       record::RunSuspended{
           "r", record::Question{"GATE#1", "Good?", "", {{"YES", "Yes"}}}, {"TASK#1/OTHER#2"}});
  EXPECT_THAT(paper.read(),
              testing::EndsWith("\n\n  Good?\n    agneto answer shout-1 GATE#1 YES   # Yes\n"
                                "  open    TASK#1/OTHER#2, too: agneto show shout-1\n"
                                "  go on   agneto resume shout-1\n"));
  tell(console, "",
       record::RunSuspended{
           "r", record::Question{"GATE#1", "Good?", "# The plan\n1. Greet", {{"YES", "Yes"}}}, {}});
  EXPECT_THAT(paper.read(), testing::EndsWith("\n\n  The plan\n  1. Greet\n\n  Good?\n"
                                              "    agneto resume shout-1 --answer YES   # Yes\n"));
  tell(console, "run.suspended", "", {{"reason", "suspended by a person"}});
  EXPECT_EQ(paper.read(),
            "09:00:02                                    suspended: suspended by a person\n"
            "\n"
            "  go on   agneto resume shout-1\n");
}

TEST_F(ConsoleTest, SuspendedSaysWhatTheQuestionWaitsForBesidesAnAnswer) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, false, look);
  record::Question question{"GATE#1", "Good?", "", {{"YES", "Yes"}}};
  question.around = {{{std::nullopt, Millis(599'001), {"LATER"}, false},
                      {now_ - Millis(1000), Millis(0), {"NEVER"}, false}},
                     {"build.finished"}};
  tell(console, "", record::RunSuspended{"r", question, {}, {2, {0.5}}});
  EXPECT_THAT(
      paper.read(),
      testing::EndsWith("\n\n  Good?\n"
                        "  10m after the run goes on it is taken away: → LATER\n"
                        "  its time was up at 08:59:59, so it is taken away: → NEVER\n"
                        "  events that are taken here: build.finished (agneto send shout-1 EVENT)\n"
                        "  so far: 2 agent calls · $0.50\n"
                        "    agneto resume shout-1 --answer YES   # Yes\n"));
  tell(console, "GATE#1", record::QuestionAsked{question});
  EXPECT_EQ(paper.read(),
            "09:00:01  GATE                              ❓ Good? · for 10m, then → LATER · until "
            "08:59:59, then → NEVER\n");
}

TEST_F(ConsoleTest, AResumedRunKnowsItsPathFromThereOn) {
  Paper paper(plain);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  tell(console, "run.resumed", "",
       {{"workflow", "agneto"}, {"task", "shout"}, {"branch", "agneto/shout-1"}});
  tell(console, "state.entered", "DONE#1", {{"state", "DONE"}, {"stage", true}});
  tell(console, "run.finished", "", {{"outcome", "DONE"}, {"status", "complete"}, {"calls", 0}});
  EXPECT_EQ(paper.read(),
            "resumed shout-1  shout\n"
            "  workflow agneto · branch agneto/shout-1\n"
            "\n"
            "DONE (complete)\n"
            "  path    … → DONE\n"
            "  effort  0 agent calls · 0ms\n");
}

TEST_F(ConsoleTest, ATerminalShowsWhatGoesOn) {
  Paper paper(terminal);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  start(console);
  paper.read();
  begin(console, "EXECUTING#1/CODING#2", "coder", 2);
  EXPECT_EQ(paper.read(),
            no_status + status_of({"  ▶ EXECUTING/CODING #2  coder (claude opus) · attempt 2 · 0s",
                                   "  0s · 0 agent calls · Ctrl+C pauses"}));
  tell(console, "agent.text", "EXECUTING#1/CODING#2", {{"text", "I shall\x1b[2J edit a.c\nnow"}});
  EXPECT_EQ(paper.read(),
            no_status + status_of({"  ▶ EXECUTING/CODING #2  coder (claude opus) · attempt 2 · 0s "
                                   "· I shall edit a.c …",
                                   "  1s · 0 agent calls · Ctrl+C pauses"}));
  tell(console, "agent.tool", "EXECUTING#1/CODING#2", {{"tool", "Edit a.c"}});
  tell(console, "agent.text", "EXECUTING#1/CODING#2", {{"text", "a tool's words"}});
  EXPECT_THAT(paper.read(), testing::HasSubstr(" · 1s · Edit a.c\n"
                                               "  2s · 0 agent calls · Ctrl+C pauses\x1b"));
  console.tick(now_ + Millis(60'000));
  EXPECT_THAT(paper.read(), testing::HasSubstr(" · 1m 1s · Edit a.c\n"
                                               "  1m 2s · 0 agent calls · Ctrl+C pauses\x1b"));
  end(console, "EXECUTING#1/CODING#2", "coder", "APPLIED", {{"summary", "Shout"}});
  EXPECT_THAT(
      paper.read(),
      testing::AllOf(
          testing::StartsWith("\r \x1b[J\r"
                              "09:00:03  EXECUTING/CODING #2   coder → APPLIED: Shout (2s)\n"),
          testing::EndsWith(no_status +
                            status_of({"  2s · 1 agent call · $0.25 · Ctrl+C pauses"}))));
  tell(console, "run.suspended", "", {{"reason", "suspended by a person"}});
  EXPECT_EQ(paper.read(),
            "\r \x1b[J\r"
            "09:00:03                        suspended: suspended by a person\n"
            "\n"
            "  go on   agneto resume shout-1\n");
}

TEST_F(ConsoleTest, AsManyAtWorkAreShownAsThereIsRoomFor) {
  for (const int count : {19, 30}) {
    Paper paper(terminal);
    Screen screen(paper.file(), paper.style());
    Console console(screen, true, look);
    start(console);
    for (int i = 1; i <= count; ++i) {
      paper.read();
      begin(console, "PANEL#1[" + std::to_string(i) + "]/CODING#1", "coder");
    }
    const std::string drawn = paper.read();
    EXPECT_EQ(std::count(drawn.begin(), drawn.end(), '\n'), 19) << drawn;
    if (count == 19) {
      EXPECT_THAT(drawn,
                  testing::HasSubstr("▶ PANEL[19]/CODING  coder (claude opus) · 0s\n  9s · "));
    } else {
      EXPECT_THAT(drawn, testing::HasSubstr("▶ PANEL[18]/CODING  coder (claude opus) · 6s\n"
                                            "  … 12 more are at work\n"
                                            "  15s · 0 agent calls · Ctrl+C pauses\x1b"));
    }
  }
}

TEST_F(ConsoleTest, ALongCommandLeavesRoomForWhatItPrints) {
  Paper paper(terminal);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  start(console);
  tell(console, "command.started", "TESTING#1",
       {{"argv", {"/bin/sh", "-c", "for i in 1 2 3 4 5; do sh test.sh --number \"$i\"; done"}}});
  paper.read();
  tell(console, "command.output", "TESTING#1", {{"line", "test 3 passed"}});
  EXPECT_THAT(paper.read(),
              testing::HasSubstr(
                  "  ▶ TESTING  for i in 1 2 3 4 5; do sh test.sh … · 0s · test 3 passed\n"));
}

TEST_F(ConsoleTest, AFloodOfWordsRedrawsSeldom) {
  Paper paper(terminal);
  Screen screen(paper.file(), paper.style());
  Console console(screen, true, look);
  start(console);
  begin(console, "CODING#1", "coder");
  paper.read();
  for (int i = 0; i < 50; ++i) {
    now_ += Millis(1);
    console.event({now_, "shout-1", "CODING#1", record::AgentText{std::to_string(i)}});
  }
  EXPECT_EQ(paper.read(), "");
  console.tick(now_);
  EXPECT_THAT(paper.read(), testing::HasSubstr("coder (claude opus) · 0s · 49\n"));
}

TEST_F(ConsoleTest, AToolThatWasDeniedOrFailedIsToldOnceAnAttempt) {
  Paper paper;
  Screen screen(paper.file(), plain);
  Console console(screen, false, look);
  start(console);
  for (int attempt : {1, 2}) {
    begin(console, "CODING#1", "coder", attempt);
    paper.read();
    for (int i = 0; i < 2; ++i) {
      tell(console, "agent.tool_denied", "CODING#1", {{"tool", "WebFetch"}});
      tell(console, "agent.tool_failed", "CODING#1", {{"tool", "edit: greet\x1b[2J"}});
    }
    const std::string told = paper.read();
    EXPECT_THAT(told, testing::HasSubstr("CODING                            denied: WebFetch (see "
                                         "'tools' in .agneto/config.yaml)\n"));
    EXPECT_THAT(told, testing::EndsWith("CODING                            failed: edit: greet\n"));
    EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 2);
  }
}

TEST_F(ConsoleTest, AReplyIsToldWhole) {
  Paper paper;
  Screen screen(paper.file(), plain);
  Console console(screen, false, look);
  record::Reply reply;
  reply.text = "Done.\nIt shouts.";
  console.event({Time(Millis(1'000)), "shout-1", "A#1", record::AgentReply{reply}, 42});
  EXPECT_EQ(paper.read(),
            "   42  reply of A, attempt 1\n"
            "       │ Done.\n"
            "       │ It shouts.\n");
}

TEST_F(ConsoleTest, WhatAnAgentSaysHasLinesWhereThatIsAskedFor) {
  Paper paper;
  Screen screen(paper.file(), plain);
  Console console(screen, false, look);
  const auto happens = [&](record::EventBody body) {
    console.words({Time(Millis(1'000)), "shout-1", "A#1", std::move(body), 42});
  };
  happens(record::AgentText{"I look at\nboth files.\n"});
  happens(record::AgentTool{"Read a.c"});
  happens(record::AgentToolEnd{});
  happens(record::AgentText{" \n"});
  const std::string column = "   42  00:00:01  A" + std::string(33, ' ');
  EXPECT_EQ(paper.read(),
            column + "A: I look at\n          │ both files.\n" + column + "A uses Read a.c\n");
}

TEST_F(ConsoleTest, WhatIsToldFromTheJournalHasItsNumber) {
  Paper paper;
  Screen screen(paper.file(), plain);
  Console console(screen, false, look);
  record::RunEvent note{Time(Millis(1'000)), "shout-1", "A#1", record::Note{"hello"}, 42};
  console.event(note);
  note.undone = true;
  console.event(note);
  EXPECT_EQ(paper.read(),
            "   42  00:00:01  A                                 hello\n"
            "   42  00:00:01  A                                 hello  (undone)\n");
}

}  // namespace
}  // namespace agneto::ui
