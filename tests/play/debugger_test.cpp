#include "play/debugger.h"

#include "base/error.h"
#include "play/simulating.h"

namespace agneto::play {
namespace {

using Verb = DebuggerCommand::Verb;

std::string error_of(std::string_view line) {
  try {
    parse_command(line);
  } catch (const Error& error) {
    return error.what() + ("\n" + error.help());
  }
  return "";
}

std::string input_of(std::string_view line) {
  const DebuggerCommand command = parse_command(line);
  return command.verb == Verb::input ? to_line(command.input) : "no input";
}

TEST(DebuggerCommand, MayBeAnEventInShort) {
  EXPECT_EQ(input_of("go"), "go");
  EXPECT_EQ(input_of(" go  from  SUB#1/A "), R"({"event":"go","from":"SUB#1/A"})");
  EXPECT_EQ(input_of(R"(go {"n": 1})"), R"({"data":{"n":1},"event":"go"})");
  EXPECT_EQ(input_of("go [1, 2]"), R"({"data":[1,2],"event":"go"})");
  EXPECT_EQ(input_of(R"(go {"n": 1} from A)"), R"({"data":{"n":1},"event":"go","from":"A"})");
  EXPECT_EQ(input_of(R"(go from A {"n": 1})"), R"({"data":{"n":1},"event":"go","from":"A"})");
  EXPECT_EQ(input_of(R"(go "a from b")"), R"({"data":"a from b","event":"go"})");
}

TEST(DebuggerCommand, MayBeALineOfAnEventsFile) {
  EXPECT_EQ(input_of(R"({"event": "undo"})"), "undo");
  EXPECT_EQ(input_of(R"({"advance": 5})"), R"({"advance":"5ms"})");
  EXPECT_EQ(parse_command("# go").verb, Verb::nothing);
  EXPECT_EQ(parse_command("  ").verb, Verb::nothing);
}

TEST(DebuggerCommand, MovesTheClock) {
  EXPECT_EQ(input_of("advance 1h30m"), R"({"advance":"1h30m"})");
  EXPECT_EQ(input_of("advance 1500"), R"({"advance":"1s500ms"})");
}

TEST(DebuggerCommand, IsGivenByName) {
  EXPECT_EQ(parse_command("undo").verb, Verb::undo);
  EXPECT_EQ(parse_command("show").verb, Verb::show);
  EXPECT_EQ(parse_command("context").verb, Verb::context);
  EXPECT_EQ(parse_command("script").verb, Verb::script);
  EXPECT_EQ(parse_command("help").verb, Verb::help);
  EXPECT_EQ(parse_command("quit").verb, Verb::quit);
  const DebuggerCommand save = parse_command("save my events.txt");
  EXPECT_EQ(save.verb, Verb::save);
  EXPECT_EQ(save.argument, "my events.txt");
}

TEST(DebuggerCommand, ThatIsMistypedIsExplained) {
  EXPECT_EQ(error_of("save"),
            "'save' takes a FILE\nan event of that name is written {\"event\": \"save\"}");
  EXPECT_EQ(error_of("undo it"),
            "'undo' takes nothing\nan event of that name is written {\"event\": \"undo\"}");
  EXPECT_EQ(error_of("advance soon"),
            "'advance' is \"soon\", which is no duration\nwrite one such as \"1500ms\", \"5s\" or "
            "\"1h30m\", or a number of milliseconds");
  EXPECT_EQ(error_of("go from"), "'from' names no activity\nwrite EVENT from PATH");
  EXPECT_EQ(error_of("go on"),
            "unreadable JSON at column 1: syntax error while parsing value - invalid literal; last "
            "read: 'o'\nwrite EVENT, EVENT {\"field\": …} or EVENT from PATH; see 'help'");
}

TEST(DebuggerCommand, HelpNamesThemAll) {
  EXPECT_THAT(join(command_help(), "\n"),
              testing::AllOf(testing::HasSubstr("advance DURATION  "),
                             testing::HasSubstr("\nundo  "), testing::HasSubstr("\nsave FILE  ")));
}

class DebuggerTest : public testing::Test {
 protected:
  DebuggerTest() { debugger_.start(); }

  void play(std::string_view line) { debugger_.play(parse_command(line).input); }
  // Its last macrostep's event and state.
  std::string now() const {
    const Macrostep& last = debugger_.last();
    return last.event.value_or("") + ": " + name_of(last.active.front(), workflow_.system());
  }
  std::string completed(std::string_view line) const {
    return join(debugger_.completions(line), " ");
  }

  SimulatedWorkflow workflow_{{{"flow.yaml", R"(
agents:
  judge: {hooks: hooks.lua}
context: {n: 0}
initial: JUDGING
on: {abort: OUT}
states:
  JUDGING:
    agent:
      name: judge
      verdicts:
        GOOD: {}
        BAD: {why: string, score: integer, fatal: boolean, list: list, kind: "enum [x, z]"}
    on:
      GOOD: WAITING
      BAD: {target: JUDGING, guard: ctx.n < 3, do: ctx.n = ctx.n + 1}
      error: OUT
  WAITING:
    entry: send("nudge", null, {after = "2h", id = "n"})
    on: {any: OUT}
    after:
      - {delay: 90m, guard: ctx.n > 0, target: JUDGING}
      - {delay: 90m, target: OUT}
  OUT: {final: true}
)"}}};
  int heard_ = 0;
  Debugger debugger_{
      workflow_.system(), *workflow_.evaluator, {}, Json::object(), [this](const Macrostep&) {
        ++heard_;
      }};
};

TEST_F(DebuggerTest, TakesTheLastInputBack) {
  EXPECT_EQ(heard_, 1);
  play("BAD from JUDGING");
  play("GOOD from JUDGING");
  play("advance 1h");
  EXPECT_EQ(now(), ": WAITING");
  EXPECT_EQ(heard_, 4);
  EXPECT_TRUE(debugger_.undo());
  EXPECT_EQ(now(), "GOOD: WAITING");
  EXPECT_EQ(debugger_.simulator().machine().now(), Millis(0));
  EXPECT_TRUE(debugger_.undo());
  EXPECT_EQ(now(), "BAD: JUDGING");
  EXPECT_EQ(debugger_.last().context, (Json{{"n", 1}}));
  EXPECT_TRUE(debugger_.undo());
  EXPECT_EQ(now(), ": JUDGING");
  EXPECT_FALSE(debugger_.undo());
  EXPECT_EQ(heard_, 4);
  play("GOOD");
  EXPECT_EQ(now(), "GOOD: WAITING");
  EXPECT_EQ(debugger_.last().input, 1);
}

TEST_F(DebuggerTest, TheScriptIsWhatWasPlayedAndCouldBe) {
  play("GOOD from NOWHERE");
  EXPECT_EQ(debugger_.last().refused, "no activity runs at 'NOWHERE'; running: JUDGING#1");
  play("nothing");
  play(R"(BAD {"why": "x"} from JUDGING)");
  play("advance 5s");
  EXPECT_EQ(
      debugger_.script(),
      (std::vector<std::string>{"nothing", R"({"data":{"why":"x"},"event":"BAD","from":"JUDGING"})",
                                R"({"advance":"5s"})"}));
}

TEST_F(DebuggerTest, CompletesTheFirstWordToEventsAndCommands) {
  EXPECT_EQ(completed(""), "BAD GOOD abort advance context error help quit save script show undo");
  EXPECT_EQ(completed("a"), "abort advance");
  EXPECT_EQ(completed("X"), "");
}

TEST_F(DebuggerTest, CompletesWhatFollowsAnEvent) {
  EXPECT_EQ(completed("BAD "), R"(from {"fatal":false,"kind":"x","list":[],"score":1,"why":""})");
  EXPECT_EQ(completed("GOOD "), "from");
  EXPECT_EQ(completed("GOOD from "), "JUDGING#1");
  EXPECT_EQ(completed("GOOD {\"n\": 1} f"), "from");
  EXPECT_EQ(completed("error.timeout from J"), "JUDGING#1");
  EXPECT_EQ(completed("undo "), "");
}

TEST_F(DebuggerTest, CompletesTheTimeToTheNextTimer) {
  EXPECT_EQ(completed("advance "), "");
  play("GOOD");
  play("advance 10m");
  EXPECT_EQ(completed("advance "), "1h20m");
  EXPECT_EQ(completed("GOOD "), "");
}

TEST_F(DebuggerTest, AnOverviewSaysWhatCouldBeReceived) {
  const Overview first = overview(debugger_.simulator());
  ASSERT_EQ(first.places.size(), 2u);
  EXPECT_EQ(first.places[0].name, "flow");
  EXPECT_EQ(first.places[0].offers.at(0).events, std::vector<std::string>{"abort"});
  const StateView& judging = first.places[1];
  EXPECT_EQ(judging.name, "JUDGING");
  EXPECT_EQ(judging.activity->kind, "agent");
  EXPECT_EQ(judging.activity->name, "judge");
  EXPECT_EQ(judging.activity->path, "JUDGING#1");
  EXPECT_EQ(judging.activity->outcomes.at(1).name, "BAD");
  EXPECT_EQ(judging.offers.at(1).guard, "ctx.n < 3");
  EXPECT_EQ(judging.offers.at(1).targets, std::vector<std::string>{"JUDGING"});

  play("GOOD");
  play("advance 30m");
  const Overview second = overview(debugger_.simulator());
  const StateView& waiting = second.places.at(1);
  EXPECT_FALSE(waiting.activity);
  ASSERT_EQ(waiting.offers.size(), 3u);
  EXPECT_EQ(waiting.offers[1].left, Millis(3'600'000));
  EXPECT_EQ(waiting.offers[1].guard, "ctx.n > 0");
  EXPECT_EQ(waiting.offers[2].targets, std::vector<std::string>{"OUT"});
  ASSERT_EQ(second.sends.size(), 1u);
  EXPECT_EQ(second.sends[0].path, "send:n");
  EXPECT_EQ(second.sends[0].due, Millis(5'400'000));

  play("out");
  EXPECT_TRUE(debugger_.simulator().machine().finish());
  EXPECT_TRUE(overview(debugger_.simulator()).places.empty());
}

std::vector<std::string> outcomes_of(const std::string& activity, const Options& options = {}) {
  Simulation play(
      {{"flow.yaml", "initial: A\nstates: {A: {" + activity + "}}\n"},
       {"sub.yaml",
        "initial: X\nstates: {X: {}, Y1: {final: true}, Y2: {final: true, outcome: Y1}, "
        "Z: {final: true}}\n"}},
      options);
  std::vector<std::string> names;
  for (const auto& place : overview(play.simulator()).places) {
    if (!place.activity) continue;
    names.push_back(place.activity->kind + ":");
    for (const auto& outcome : place.activity->outcomes) names.push_back(outcome.name);
  }
  return names;
}

TEST(Overview, KnowsHowEachActivityEnds) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(outcomes_of("run: {argv: [x]}, on: {ok: {}, failed: {}}"),
            (Names{"run:", "ok", "failed"}));
  EXPECT_EQ(outcomes_of("workspace: {commit: {message: m}}, on: {ok: {}, failed: {}}"),
            (Names{"workspace:", "ok", "failed"}));
  EXPECT_EQ(outcomes_of("workspace: {merge: {}}, on: {ok: {}, failed: {}}"),
            (Names{"workspace:", "ok", "failed", "conflict"}));
  EXPECT_EQ(outcomes_of("ask: {question: q, options: {U: u, V: {label: v, when: 'false'}}}"),
            (Names{"ask:", "U"}));
  EXPECT_EQ(outcomes_of("ask: {question: q, text: optional}"), (Names{"ask:", "answered"}));
  Options shallow;
  shallow.shallow = true;
  EXPECT_EQ(outcomes_of("machine: sub.yaml", shallow), (Names{"machine:", "Y1", "Z"}));
  EXPECT_EQ(outcomes_of("machine: sub.yaml"), Names());
}

TEST(Overview, ListsWholeMachinesAndTheirOwnTimers) {
  const std::map<std::string, std::string> texts = {
      {"flow.yaml", "initial: A\nstates: {A: {machine: sub.yaml}}\n"},
      {"sub.yaml", "initial: X\nafter: {5s: X}\non: {stop: X}\nstates: {X: {}}\n"}};
  Simulation play(texts);
  const Overview all = overview(play.simulator());
  ASSERT_EQ(all.places.size(), 4u);
  EXPECT_EQ(all.places[1].name, "A");
  EXPECT_EQ(all.places[2].name, "A#1");
  EXPECT_EQ(all.places[2].offers.at(1).left, Millis(5000));
  EXPECT_EQ(all.places[3].name, "A#1/X");
  EXPECT_EQ(play.json().at("effects").at(0).at("name"), "A");
}

}  // namespace
}  // namespace agneto::play
