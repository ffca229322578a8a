// What lint sees through: functions of a file, nested fields, prompts in the file itself.
#include <gmock/gmock.h>

#include "lint/linting.h"
#include "support/paths.h"

namespace agneto::lint {
namespace {

std::string lint_loop(const std::string& function, const std::string& guard) {
  return lint_text(
      "agneto: 1\nname: flow\ncontext: {rounds: 0}\nfunctions:\n  goes_on: " + function +
      "\ninvariants: [{never: ctx.rounds > 3}]\ninitial: A\nstates:\n"
      "  A:\n    entry: ctx.rounds = ctx.rounds + 1\n    run: {argv: [make]}\n"
      "    on:\n      ok: B\n      failed: [{guard: \"" +
      guard + "\", target: A}, B]\n      error: B\n  B: {final: true}\n");
}

// The invariant holds because of what the function says, and fails where that says otherwise.
TEST(Inlined, AFunctionIsProvedThrough) {
  EXPECT_EQ(lint_loop("function(n, most) return n < most end", "goes_on(ctx.rounds, 3)"), "");
  EXPECT_THAT(lint_loop("function(n, most) return n < most end", "goes_on(ctx.rounds, 5)"),
              testing::HasSubstr("E233"));
}

TEST(Inlined, AFunctionThatDoesMoreIsNot) {
  EXPECT_THAT(
      lint_loop("function(n, most) local m = most return n < m end", "goes_on(ctx.rounds, 3)"),
      testing::HasSubstr("W234"));
}

TEST(Inlined, AnUnknownFunctionIsReportedWithTheNearest) {
  EXPECT_EQ(
      lint_loop("function(n, most) return n < most end",
                "goes_un(ctx.rounds, 3) and goes_on(ctx.rounds, 3)"),
      R"text(/team/flow.yaml:14:25: warning: there is no 'goes_un' here [W505/undefined-global]
      failed: [{guard: "goes_un(ctx.rounds, 3) and goes_on(ctx.rounds, 3)", target: A}, B]
                        ^~~~~~~
  help: did you mean 'goes_on'?
)text");
}

// What is written shortly may come to more than could ever be looked at.
TEST(Inlined, FunctionsThatGrowOrComeBackToThemselvesAreLeftAsCalls) {
  std::string functions = "  f1: function(x) return x < 1 end\n";
  for (int i = 2; i < 14; ++i) {
    const std::string before = "f" + std::to_string(i - 1) + "(x)";
    std::string value = before;
    for (int k = 0; k < 7; ++k) value += " and " + before;
    functions += "  f" + std::to_string(i) + ": function(x) return " + value + " end\n";
  }
  functions +=
      "  odd: function(n) return n > 0 and even(n - 1) or even(n - 2) end\n"
      "  even: function(n) return n == 0 or odd(n - 1) or odd(odd(n - 2)) end\n";
  EXPECT_EQ(lint_text("agneto: 1\nname: flow\ninputs: {n: integer}\nfunctions:\n" + functions +
                      "initial: A\nstates:\n  A:\n    always:\n"
                      "      - {guard: f13(inputs.n) and odd(inputs.n), target: B}\n      - C\n"
                      "  B: {final: true}\n  C: {final: true}\n"),
            "");
}

TEST(Inlined, ACallWithTooFewOrTooManyArgumentsIsReported) {
  EXPECT_EQ(
      lint_loop("function(n, most) return n < most end", "ctx.rounds < 3 and goes_on(ctx.rounds)"),
      R"text(/team/flow.yaml:14:44: warning: 'goes_on' takes 2 arguments, and is given 1 [W318/wrong-argument]
      failed: [{guard: "ctx.rounds < 3 and goes_on(ctx.rounds)", target: A}, B]
                                           ^~~~~~~~~~~~~~~~~~~
  help: those that are missing are nil
/team/flow.yaml:5:3: note: it is defined here
  goes_on: function(n, most) return n < most end
  ^~~~~~~
)text");
  EXPECT_THAT(lint_loop("function(n, ...) return n < 3 end", "goes_on(ctx.rounds, 1, 2)"),
              testing::Not(testing::HasSubstr("W318")));
}

TEST(Inlined, FieldsOfFieldsAreKnown) {
  EXPECT_EQ(
      lint_text(R"(agneto: 1
name: flow
context: {file: ""}
agents: {coder: {hooks: hooks.lua}}
initial: A
states:
  A:
    agent: {name: coder, verdicts: {BAD: {findings: [{fields: {file: string, line: integer}}]}}}
    on:
      BAD:
        target: B
        do: ctx.file = event.findings[1].fil
      error: B
  B: {final: true}
outputs: {file: ctx.file}
)"),
      R"text(/team/flow.yaml:12:24: warning: event.findings[1] has no field 'fil' [W308/undefined-field]
        do: ctx.file = event.findings[1].fil
                       ^~~~~~~~~~~~~~~~~~~~~
  help: did you mean 'file'?
)text");
}

TEST(Inlined, APromptInTheFileIsLookedAtThere) {
  const Disk disk;
  const Overlay files({{"/team/flow.yaml", R"(agneto: 1
name: flow
inputs: {task: string, place: string}
functions: {is_short: "function(text) return #text < 9 end"}
agents:
  coder:
    prompt: |
      Do this:
      {{inputs.tsk}} {{place}} {{inputs.place}} {{task}}

      {{if is_short(inputs.task)}}It is {{ctx.size}}.{{end}} {{inputs.hurry}}
initial: A
states:
  A: {agent: coder, on: {done: B, error: B}}
  B: {final: true}
)"}},
                      disk);
  const Findings found = lint("/team/flow.yaml", files, AGNETO_SOURCE_DIR "/scripts/lib");
  EXPECT_EQ(
      render(found.diagnostics),
      R"text(/team/flow.yaml:9:9: warning: no machine that calls this agent has inputs.tsk [W512/hook-field]
      {{inputs.tsk}} {{place}} {{inputs.place}} {{task}}
        ^~~~~~~~~~
  help: did you mean inputs.task?
/team/flow.yaml:9:24: warning: there is no 'place' here [W505/undefined-global]
      {{inputs.tsk}} {{place}} {{inputs.place}} {{task}}
                       ^~~~~
  help: did you mean inputs.place?
/team/flow.yaml:9:51: warning: no state that calls this agent names a task, so that task is empty [W512/hook-field]
      {{inputs.tsk}} {{place}} {{inputs.place}} {{task}}
                                                  ^~~~
  help: what the run was given is in inputs; task is of `agent: {name, task}`
/team/flow.yaml:11:12: warning: 'is_short' is a function of the workflow, which a prompt cannot call [W505/undefined-global]
      {{if is_short(inputs.task)}}It is {{ctx.size}}.{{end}} {{inputs.hurry}}
           ^~~~~~~~
  help: let an action call it, as in do: ctx.value = is_short(…), and write {{ctx.value}} here
/team/flow.yaml:11:43: warning: no machine that calls this agent has ctx.size [W512/hook-field]
      {{if is_short(inputs.task)}}It is {{ctx.size}}.{{end}} {{inputs.hurry}}
                                          ^~~~~~~~
  help: declare it under `context`: size: DEFAULT
/team/flow.yaml:11:64: warning: no machine that calls this agent has inputs.hurry [W512/hook-field]
      {{if is_short(inputs.task)}}It is {{ctx.size}}.{{end}} {{inputs.hurry}}
                                                               ^~~~~~~~~~~~
  help: declare it under `inputs`: hurry: TYPE
)text");
}

}  // namespace
}  // namespace agneto::lint
