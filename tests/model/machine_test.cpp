#include "model/machine.h"

#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Events, DescriptorsMatchWholeWordsFromTheStart) {
  EXPECT_TRUE(matches("any", "GO"));
  EXPECT_TRUE(matches("error", "error"));
  EXPECT_TRUE(matches("error", "error.timeout"));
  EXPECT_TRUE(matches("done.state", "done.state.A"));
  EXPECT_FALSE(matches("error", "errors"));
  EXPECT_FALSE(matches("error.timeout", "error"));
  EXPECT_FALSE(matches("GO", "any"));
}

TEST(Events, OfTheEngineAreNobodyElses) {
  for (const char* event :
       {"abort", "abort.now", "error", "error.timeout", "limit.calls", "done.state.A"}) {
    EXPECT_TRUE(is_engines(event)) << event;
  }
  for (const char* event : {"GO", "any", "aborted", "errors", "done", "done.states"}) {
    EXPECT_FALSE(is_engines(event)) << event;
  }
}

LoadResult with_inputs(const std::string& inputs) {
  LoadResult result = load_text("agneto: 1\nname: flow\ninputs:\n" + inputs +
                                "initial: A\nstates: {A: {final: true}}\n");
  EXPECT_EQ(result.messages(), "");
  return result;
}

TEST(Inputs, TakeTheirDefaults) {
  const LoadResult result =
      with_inputs("  task: string\n  tries: {type: integer, default: 3}\n  base: string?\n");
  std::vector<std::string> errors;
  EXPECT_EQ(result.main().check_inputs({{"task", "x"}}, errors),
            Json({{"task", "x"}, {"tries", 3}, {"base", nullptr}}));
  EXPECT_THAT(errors, IsEmpty());
}

TEST(Inputs, SayEverythingThatDoesNotFit) {
  const LoadResult result =
      with_inputs("  issue: {type: string, description: The report}\n  tries: {type: integer}\n");
  std::vector<std::string> errors;
  result.main().check_inputs({{"isue", "x"}, {"tries", "many"}}, errors);
  EXPECT_THAT(errors, ElementsAre("input 'issue' is missing; its type is string: The report",
                                  "input 'tries': expected integer, found string \"many\"",
                                  "unknown input 'isue'; did you mean 'issue'?"));
}

TEST(Inputs, AreNotBelowTheirMinimum) {
  const LoadResult result = with_inputs(
      "  rounds: {type: integer, minimum: 1, maximum: 8, default: 3}\n  share: {type: 'number?', "
      "minimum: "
      "0.5}\n");
  std::vector<std::string> errors;
  result.main().check_inputs({{"rounds", 8}, {"share", 0.5}}, errors);
  result.main().check_inputs({{"share", nullptr}}, errors);
  EXPECT_THAT(errors, IsEmpty());
  result.main().check_inputs({{"rounds", -1}, {"share", 0.25}}, errors);
  result.main().check_inputs({{"rounds", 9}}, errors);
  EXPECT_THAT(errors, ElementsAre("input 'rounds' must be at least 1, not -1",
                                  "input 'share' must be at least 0.5, not 0.25",
                                  "input 'rounds' must be at most 8, not 9"));
}

std::string main_input(const std::string& inputs) {
  const LoadResult result = with_inputs(inputs);
  const Variable* input = result.main().main_input();
  return input ? input->name : "";
}

TEST(Inputs, OneIsFilledByTheTask) {
  EXPECT_EQ(main_input("  a: string\n  b: {type: string, main: true}\n"), "b");
  EXPECT_EQ(main_input("  a: integer\n  b: string\n  c: string?\n"), "b");
  EXPECT_EQ(main_input("  a: string\n  b: string\n"), "");
  EXPECT_EQ(main_input("  a: integer\n"), "");
}

bool needs_worktree(const std::string& access, const std::string& activity) {
  const LoadResult result =
      load_text("agneto: 1\nname: flow\nagents: {coder: {hooks: hooks.lua, access: " + access +
                "}}\ninitial: A\nstates:\n  A:\n    " + activity +
                "\n    on: {any: B}\n  B: {final: true}\n");
  EXPECT_EQ(result.messages(), "");
  return result.system().needs_worktree() != nullptr;
}

TEST(Worktree, IsNeededByEditorsAndWorkspaceOperations) {
  EXPECT_TRUE(needs_worktree("edit", "agent: coder"));
  EXPECT_TRUE(needs_worktree("full", "agent: coder"));
  EXPECT_FALSE(needs_worktree("edit", "agent: {name: coder, access: read-only}"));
  EXPECT_FALSE(needs_worktree("edit", "run: {argv: [make]}"));
  EXPECT_TRUE(needs_worktree("read-only", "workspace: {merge: {}}"));
}

TEST(Worktree, IsNeededByAMachineThatIsDelegatedTo) {
  const LoadResult result = load_files(
      {{"flow.yaml",
        "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    machine: inner.yaml\n"
        "    on: {any: B}\n  B: {final: true}\n"},
       {"inner.yaml",
        "agneto: 1\nname: inner\ninitial: A\nstates:\n  A:\n    workspace: {discard: {to: "
        "last_commit}}\n    on: {any: B}\n  B: {final: true}\n"}});
  EXPECT_EQ(result.messages(), "");
  EXPECT_TRUE(result.system().needs_worktree());
}

}  // namespace
}  // namespace agneto::model
