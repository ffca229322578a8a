#include "play/coverage.h"

#include <gmock/gmock.h>

#include "playing.h"

namespace agneto::play {
namespace {

using testing::ElementsAre;

// What cases of a test of these files come by.
Coverage covered(const std::string& test, const std::map<std::string, std::string>& texts = {}) {
  const TestFiles files(texts);
  Diagnostics diagnostics;
  const auto source = std::make_shared<Source>("flow.test.yaml", test);
  const fs::path library = AGNETO_SOURCE_DIR "/scripts/lib";
  const auto suite = read_suite("/w/flow.test.yaml", source, files, library, diagnostics);
  const Workflow workflow = load_workflow(suite->workflow, files, library, diagnostics);
  EXPECT_EQ(render(diagnostics), "");
  Coverage coverage;
  coverage.add(workflow.loaded.system);
  for (const Case& row : suite->cases) {
    EXPECT_TRUE(play_case(row, workflow, &coverage).failures.empty()) << row.name.text;
  }
  return coverage;
}

TEST(Coverage, SaysWhatIsLeftOut) {
  const Coverage coverage = covered(case_of(R"yaml(    steps:
      - {at: WORKING, outcome: MORE}
      - at: WORKING
        reply: |
          ```json
          {"verdict": "DONE", "note": "fine"}
          ```
      - {at: GATE, answer: 'YES'}
      - {at: TESTING, outcome: ok}
)yaml"));
  const MachineCoverage& flow = coverage.machines().at("/w/flow.yaml");
  EXPECT_THAT(missing(flow), ElementsAre("/w/flow.yaml:7: never taken: flow, abort -> ABORTED",
                                         "/w/flow.yaml:14: never taken: WORKING, error -> BROKEN",
                                         "/w/flow.yaml:19: never taken: GATE, after 1h -> LATE",
                                         "/w/flow.yaml:20: never taken: GATE, NO -> WORKING",
                                         "/w/flow.yaml:23: never taken: TESTING, failed -> BROKEN",
                                         "/w/flow.yaml:25: never entered: LATE",
                                         "/w/flow.yaml:26: never entered: BROKEN",
                                         "/w/flow.yaml:27: never entered: ABORTED"));
  EXPECT_EQ(flow.of_states().covered, 4);
  EXPECT_EQ(flow.of_states().total, 7);
  EXPECT_EQ(flow.of_transitions().covered, 4);
  EXPECT_EQ(flow.of_transitions().total, 9);
  EXPECT_EQ(flow.of_transitions().percent(), 44);
  EXPECT_EQ(flow.of_guards().percent(), 100);
  EXPECT_EQ(flow.of_verdicts().covered, 2);
  EXPECT_EQ(flow.of_verdicts().total, 2);
}

const std::map<std::string, std::string> guarded = {{"/w/flow.yaml", R"yaml(agneto: 1
name: flow
inputs: {task: string}
context: {n: 0}
initial: A
states:
  A:
    on:
      go:
        - {guard: ctx.n < 1, target: A, do: ctx.n = ctx.n + 1}
        - {guard: ctx.n < 9, target: B}
        - {guard: ctx.n < 99, target: B}
        - C
  B: {machine: inner.yaml, on: {DONE: C}}
  C: {final: true}
)yaml"},
                                                    {"/w/inner.yaml", R"yaml(agneto: 1
name: inner
initial: X
states:
  X:
    always: {guard: false, target: DONE}
    on: {go: DONE}
  DONE: {final: true}
)yaml"}};

TEST(Coverage, GuardsCountBothWaysInAllMachines) {
  const Coverage coverage =
      covered(case_of("    steps: [{event: go}, {event: go}, {event: go}]\n"), guarded);
  EXPECT_THAT(missing(coverage.machines().at("/w/flow.yaml")),
              ElementsAre("/w/flow.yaml:11: guard never false: A, go [ctx.n < 9] -> B",
                          "/w/flow.yaml:12: never taken: A, go [ctx.n < 99] -> B",
                          "/w/flow.yaml:12: guard never looked at: A, go [ctx.n < 99] -> B",
                          "/w/flow.yaml:13: never taken: A, go -> C"));
  EXPECT_THAT(missing(coverage.machines().at("/w/inner.yaml")),
              ElementsAre("/w/inner.yaml:6: never taken: X, always [false] -> DONE",
                          "/w/inner.yaml:6: guard never true: X, always [false] -> DONE"));
  EXPECT_EQ(coverage.machines().at("/w/flow.yaml").of_guards().covered, 3);
  EXPECT_EQ(coverage.machines().at("/w/flow.yaml").of_guards().total, 6);
}

TEST(Coverage, IsWrittenWhole) {
  const Json json = to_json(covered(case_of("    steps: [{event: go}]\n"), guarded));
  EXPECT_EQ(json.at("agneto-coverage"), 1);
  const Json& flow = json.at("machines")[0];
  EXPECT_EQ(flow.at("file"), "/w/flow.yaml");
  EXPECT_EQ(flow.at("machine"), "flow");
  EXPECT_EQ(flow.at("summary").at("transitions"),
            Json({{"covered", 1}, {"total", 5}, {"percent", 20}}));
  EXPECT_EQ(flow.at("states")[0], Json({{"state", "A"}, {"line", 7}, {"entered", 2}}));
  EXPECT_EQ(flow.at("transitions")[0],
            Json({{"from", "A"},
                  {"to", {"A"}},
                  {"trigger", "go"},
                  {"line", 10},
                  {"taken", 1},
                  {"guard", {{"text", "ctx.n < 1"}, {"false", 0}, {"true", 1}}}}));
}

TEST(Coverage, IsOfTheMachineAsItWas) {
  const Coverage coverage = covered(case_of("    expect: {in: WORKING}\n"));
  const Json part = to_json(coverage).at("machines").at(0);
  const auto fits = [&](const std::string& what, const std::string& by) {
    std::string text = flow;
    text.replace(text.find(what), what.size(), by);
    const Coverage now = covered(case_of("    expect: {in: WORKING}\n"), {{"/w/flow.yaml", text}});
    return is_of(part, *now.machines().begin()->second.machine);
  };
  EXPECT_TRUE(fits("Good?", "Is it good?"));
  EXPECT_FALSE(fits("name: flow\n", "name: flow\n\n"));
  EXPECT_FALSE(fits("{ok: FINE", "{ok: LATE"));
  EXPECT_FALSE(fits("{1h: LATE}", "{2h: LATE}"));
  EXPECT_FALSE(fits("MORE: {target", "MORE: {guard: ctx.rounds < 9, target"));
  EXPECT_FALSE(fits("on: {abort: ABORTED}\n", "\n"));
  EXPECT_FALSE(fits("error: {target", "error.exit: {target"));
}

TEST(Coverage, OfNothingIsWhole) {
  EXPECT_EQ(MachineCoverage::Share{}.percent(), 100);
}

TEST(Coverage, NamesTheFileThatIsExtended) {
  const Json json =
      to_json(covered(case_of("    steps: [{event: abort}]\n"),
                      {{"/w/base.yaml", flow},
                       {"/w/flow.yaml",
                        "agneto: 1\nextends: base.yaml\nstates:\n  FINE: {exit: ctx.rounds = 0}\n"
                        "  WORKING: {on: {MORE: LATE}}\n"}}));
  const Json& machine = json.at("machines").at(0);
  EXPECT_EQ(machine.at("file"), "/w/flow.yaml");
  const Json abort = {{"from", "flow"}, {"to", {"ABORTED"}},      {"trigger", "abort"},
                      {"line", 7},      {"file", "/w/base.yaml"}, {"taken", 1}};
  EXPECT_EQ(machine.at("transitions").at(0), abort);
  const Json state = {{"state", "WORKING"}, {"line", 9}, {"file", "/w/base.yaml"}, {"entered", 1}};
  EXPECT_EQ(machine.at("states").at(0), state);
  const auto more = std::ranges::find(machine.at("transitions"), "MORE", [](const Json& one) {
    return one.at("trigger").get<std::string>();
  });
  EXPECT_EQ(more->at("line"), 5);
  EXPECT_FALSE(more->contains("file"));
}

}  // namespace
}  // namespace agneto::play
