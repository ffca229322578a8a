#include "ui/simulation.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <map>

#include "base/files.h"
#include "model/load.h"
#include "play/debugger.h"
#include "script/evaluator.h"
#include "ui/paper.h"

namespace agneto::ui {
namespace {

class ScriptedEditor : public LineEditor {
 public:
  explicit ScriptedEditor(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  std::optional<std::string> read() override {
    if (next_ == lines_.size()) return std::nullopt;
    return lines_[next_++];
  }

 private:
  std::vector<std::string> lines_;
  std::size_t next_ = 0;
};

constexpr const char* flow = R"(agneto: 1
name: flow
context: {n: 0, log: ""}
initial: A
on: {stop: STOPPED}
states:
  A:
    run: {argv: [make, "n={{ctx.n}}"]}
    on:
      ok: {target: B, guard: ctx.n > 0}
      failed: {do: ctx.n = ctx.n + 1, target: A}
      bad: {do: ctx.x = 1}
    after: {90s: B}
  B:
    machine: sub.yaml
    on: {DONE: END}
  STOPPED: {final: true, status: aborted}
  END: {final: true}
outputs: {n: ctx.n}
)";

constexpr const char* sub = R"(agneto: 1
name: sub
context: {word: ""}
initial: ASKING
states:
  ASKING:
    entry: |
      send("nudge", null, {after = "1h", id = "n"})
    ask: {question: "Go on?", options: {YES: Go on}}
    on: {YES: {target: DONE, do: ctx.word = "yes"}}
  DONE: {final: true}
)";

class SimulationTest : public testing::Test {
 protected:
  SimulationTest() { load({{"flow.yaml", flow}, {"sub.yaml", sub}}); }

  void load(const std::map<std::string, std::string>& texts) {
    MemoryFiles files(texts);
    Diagnostics diagnostics;
    evaluator_.reset();
    loaded_ = model::load("flow.yaml", files, diagnostics);
    evaluator_ = script::make_evaluator(*loaded_.system, diagnostics);
    EXPECT_EQ(render(diagnostics), "");
  }

  // What the debugger says to these lines, without what it says at the start.
  std::string debugged(std::vector<std::string> lines, Screen::Style style = plain) {
    Paper paper(style);
    Screen screen(paper.file(), paper.style());
    SimulationText text(screen, *loaded_.system);
    play::Debugger debugger(*loaded_.system, *evaluator_, {}, Json::object(),
                            [&](const play::Macrostep& step) { text.show(step); });
    ScriptedEditor none({});
    debug(debugger, none, text, screen, "agneto simulate flow.yaml");
    begun_ = paper.read();
    ScriptedEditor editor(std::move(lines));
    debug(debugger, editor, text, screen, "agneto simulate flow.yaml\nof mine");
    const std::string all = paper.read();
    const std::string hint = "Type an event; Tab completes, 'help' lists the commands.";
    return all.substr(all.find('\n', all.find(hint)) + 1);
  }

  std::string played(const std::vector<std::string>& lines) {
    Paper paper;
    Screen screen(paper.file(), paper.style());
    SimulationText text(screen, *loaded_.system);
    play::Simulator simulator(*loaded_.system, *evaluator_, {},
                              [&](const play::Macrostep& step) { text.show(step); });
    simulator.start(Json::object());
    int number = 0;
    for (const auto& line : lines) simulator.input(*play::parse_input(line), ++number);
    return paper.read();
  }

  model::Loaded loaded_;
  std::unique_ptr<chart::Evaluator> evaluator_;
  std::string begun_;
};

TEST_F(SimulationTest, OfManyStatesTwentyAreShown) {
  std::string items = "1", shown = "A, A#1[1]/B";
  for (int i = 2; i <= 25; ++i) items += ", " + std::to_string(i);
  for (int i = 2; i <= 19; ++i) shown += ", A#1[" + std::to_string(i) + "]/B";
  load(
      {{"flow.yaml", "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    for_each: {items: \"{" +
                         items + "}\", machine: sub.yaml}\n    on: {done: END, failed: END}\n" +
                         "  END: {final: true}\n"},
       {"sub.yaml", "agneto: 1\nname: sub\ninitial: B\nstates:\n  B: {on: {stop: END}}\n" +
                        std::string("  END: {final: true}\n")}});
  EXPECT_EQ(played({}), "start\n  in " + shown + " and 6 more\n\n");
}

TEST_F(SimulationTest, WhoHasSentAnEventIsSaid) {
  load({{"flow.yaml", R"(agneto: 1
name: flow
initial: A
states:
  A:
    for_each: {items: "{1, 2}", machine: sub.yaml}
    on:
      go: {do: 'send("hello", {}, {to = "A", item = 2})'}
      found: {do: 'send("enough", {}, {to = event.origin})'}
      done: END
      failed: END
  END: {final: true}
)"},
        {"sub.yaml", R"(agneto: 1
name: sub
initial: B
states:
  B:
    on:
      hello: {do: 'send("found", {}, {to = "parent"}) send("more", {}, {to = "parent"})'}
      enough: END
  END: {final: true}
)"}});
  const std::string text = played({"go"});
  EXPECT_EQ(text.substr(text.find("hello")), R"(hello from parent  input 1
  A#1[2]/B stays  line 7
  in A, A#1[1]/B, A#1[2]/B

found from A[2]  input 1
  A stays  line 9
  in A, A#1[1]/B, A#1[2]/B

more from A[2]  input 1  nothing takes it
  in A, A#1[1]/B, A#1[2]/B

enough from parent  input 1
  A#1[1]/B → END  line 8
  A#1[2]/B → END  line 8
  in A

done  input 1
  A → END  line 10
  ends as END (complete)
  was in END

)");
}

TEST_F(SimulationTest, ABlockForEachMacrostep) {
  EXPECT_EQ(played({R"({"event": "failed", "from": "A"})", "bad", "nonsense",
                    R"({"advance": "1m"})", R"({"advance": "1m"})",
                    R"({"event": "YES", "from": "ASKING"})", R"({"event": "YES", "from": "B"})"}),
            R"(start
  + timer A in 1m30s  A#1/after:1
  + run A: make n=0  A#1
  log = "", n = 0
  in A

failed  input 1
  A → A  line 11
  - cancels A#1/after:1
  + timer A in 1m30s  A#2/after:1
  + run A: make n=1  A#2
  n = 1
  in A

bad  input 2
  A stays  line 12
  ! error.lua at A#2: flow.yaml:12: 'x' is not declared in ctx; known names: log, n
  a real run would suspend here
  in A

nonsense  input 3  nothing takes it
  in A

the clock moves  input 4  at 1m  nothing is due
  in A

after  input 5  at 1m30s
  A → B  line 13
  - cancels A#2
  + timer n in 1h  B#1/send:n
  + ask ASKING: Go on?  B#1/ASKING#1
  B#1/word = ""
  in B, B#1/ASKING

YES  input 6  at 2m
  B#1/ASKING → DONE  line 10
  - cancels B#1/send:n
  in B

DONE  input 6  at 2m
  B → END  line 16
  ends as END (complete)  {"n":1}
  was in END

YES  input 7  at 2m  not offered: the machine has ended
  was in END

)");
}

TEST_F(SimulationTest, TheDebuggerShowsWhatCouldBeReceived) {
  debugged({});
  EXPECT_THAT(begun_, testing::EndsWith(R"(
flow
  stop → STOPPED  line 5
A
  run A ends in ok, failed  from A#1
  ok → B  if ctx.n > 0  line 10
  failed → A  line 11
  bad stays  line 12
  in 1m30s → B  line 13
Type an event; Tab completes, 'help' lists the commands.
)"));
}

TEST_F(SimulationTest, OtherMachinesAndSendsAreShownToo) {
  EXPECT_THAT(debugged({"advance 90s", "advance 30m"}), testing::EndsWith(R"(
flow
  stop → STOPPED  line 5
B
  DONE → END  line 16
B#1/ASKING
  ask ASKING ends in YES  from B#1/ASKING#1
  YES → DONE  line 10
in 30m B#1/send:n
)"));
}

TEST_F(SimulationTest, TheDebuggerSurvivesWhatIsMistyped) {
  EXPECT_EQ(debugged({"undo", "save", "", "go on", "script", "quit", "undo"}),
            R"(there is nothing to undo
'save' takes a FILE
  help: an event of that name is written {"event": "save"}
unreadable JSON at column 1: syntax error while parsing value - invalid literal; last read: 'o'
  help: write EVENT, EVENT {"field": …} or EVENT from PATH; see 'help'
)");
}

TEST_F(SimulationTest, UndoGoesBack) {
  EXPECT_THAT(debugged({"failed from A", "undo", "context", "script", "failed from A", "context"}),
              testing::AllOf(testing::HasSubstr("  in 1m30s → B  line 13\n"
                                                "flow {\"log\":\"\",\"n\":0}\n"
                                                "failed  input 1\n"),
                             // What the block says is new is so compared to where it went back to.
                             testing::HasSubstr("  n = 1\n  in A\n"),
                             testing::EndsWith("flow {\"log\":\"\",\"n\":1}\n")));
}

TEST_F(SimulationTest, ContextNamesEveryMachine) {
  EXPECT_THAT(debugged({"advance 90s", "context"}),
              testing::EndsWith("flow {\"log\":\"\",\"n\":0}\nB#1 {\"word\":\"\"}\n"));
}

TEST_F(SimulationTest, SavesAScriptThatCanBePlayed) {
  // Another build's tests may be at work.
  const std::string name = "agneto-simulation-test-" + std::to_string(::getpid());
  const fs::path folder = fs::path(testing::TempDir()) / name;
  fs::create_directories(folder);
  const std::string file = folder / "events.txt";
  EXPECT_THAT(debugged({"failed from A", "advance 90s", "script", "save " + file}),
              testing::EndsWith("{\"event\":\"failed\",\"from\":\"A\"}\n{\"advance\":\"1m30s\"}\n"
                                "saved; play it with --events " +
                                file + "\n"));
  EXPECT_EQ(Disk().read(file),
            "# agneto simulate flow.yaml of mine\n"
            "{\"event\":\"failed\",\"from\":\"A\"}\n{\"advance\":\"1m30s\"}\n");
  EXPECT_THAT(debugged({"save " + (folder / "none/events.txt").string()}),
              testing::HasSubstr("none/events.txt"));
  fs::remove_all(folder);
}

TEST_F(SimulationTest, TextOfTheMachineCannotMoveTheCursor) {
  EXPECT_THAT(played({R"({"event": "\u001b[2Jx"})"}),
              testing::AllOf(testing::HasSubstr("x  input 1  nothing takes it\n"),
                             testing::Not(testing::HasSubstr("\x1b"))));
}

TEST_F(SimulationTest, ColoursOnlyWhereTheyAreWanted) {
  EXPECT_THAT(debugged({"show"}), testing::Not(testing::HasSubstr("\x1b[")));
  EXPECT_THAT(debugged({"show"}, colourful), testing::HasSubstr("\x1b["));
}

}  // namespace
}  // namespace agneto::ui
