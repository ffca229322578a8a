#include "model/outcomes.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/loading.h"

namespace agneto::model {
namespace {

// "ok {status, output, message}", a line each.
std::string outcomes_of(const std::string& activity) {
  const LoadResult result =
      load_files({{"hooks.lua", "return {}"},
                  {"flow.yaml",
                   "agneto: 1\nname: flow\ncontext: {plan: \"\", all: []}\n"
                   "agents: {a: {hooks: hooks.lua}}\ninitial: A\n"
                   "states:\n  A: {" +
                       activity + ", on: {any: F}}\n  F: {final: true}\n"},
                  {"sub.yaml",
                   "agneto: 1\nname: sub\ncontext: {n: 1}\ninitial: A\nstates:\n"
                   "  A: {always: B}\n  B: {final: true, outcome: GOOD}\n"
                   "  C: {final: true, outcome: GOOD}\n  D: {final: true}\n"
                   "outputs: {n: ctx.n, twice: ctx.n * 2}\n"}});
  if (!result.loaded.system) return result.messages();
  const Machine& machine = result.main();
  std::string text;
  for (const Outcome& outcome : outcomes(machine.state(machine.find("A")), result.system())) {
    std::vector<std::string> fields;
    for (const Field& field : outcome.fields) {
      fields.push_back(field.name + ": " + to_text(field.type));
    }
    text += std::string(outcome.what) + " " + outcome.name + " {" + join(fields, ", ") + "}\n";
  }
  return text;
}

TEST(Outcomes, AreWhatIsDeclared) {
  EXPECT_EQ(
      outcomes_of("agent: {name: a, verdicts: {GOOD: {n: integer, why: 'string?'}, BAD: {}}}"),
      "verdict GOOD {n: integer, why: string?}\nverdict BAD {}\n");
  EXPECT_EQ(outcomes_of("ask: {question: q, options: {Y: Take it, E: {label: e, edit: ctx.plan}}}"),
            "option Y {by: enum [person, default]}\n"
            "option E {by: enum [person, default], edited: string}\n");
  EXPECT_EQ(
      outcomes_of("ask: {question: q, options: {N: {label: Never, feedback: required}, M: {label: "
                  "Maybe, feedback: optional}}}"),
      "option N {by: enum [person, default], feedback: string}\n"
      "option M {by: enum [person, default], feedback: string?}\n");
  EXPECT_EQ(outcomes_of("machine: sub.yaml"),
            "outcome GOOD {n: integer, twice: any}\noutcome D {n: integer, twice: any}\n");
}

TEST(Outcomes, AreTheEnginesOwn) {
  EXPECT_EQ(outcomes_of("agent: a"), "outcome done {reply: string}\n");
  EXPECT_EQ(outcomes_of("ask: {question: q, text: optional}"),
            "outcome answered {text: string, feedback: string, by: enum [person, default]}\n");
  EXPECT_EQ(outcomes_of("run: {argv: [make]}"),
            "outcome ok {status: integer, output: string, message: string}\n"
            "outcome failed {status: integer, output: string, message: string}\n");
  EXPECT_EQ(outcomes_of("workspace: {commit: {message: m}}"),
            "outcome ok {commit: string, message: string, files: list}\n"
            "outcome failed {commit: string, message: string, files: list}\n");
  EXPECT_EQ(outcomes_of("workspace: {merge: {message: m}}"),
            "outcome ok {commit: string, message: string, files: list}\n"
            "outcome failed {commit: string, message: string, files: list}\n"
            "outcome conflict {commit: string, message: string, files: list}\n");
  EXPECT_EQ(outcomes_of("for_each: {items: ctx.all, machine: sub.yaml}"),
            "outcome done {results: list}\noutcome failed {results: list, message: string}\n");
}

}  // namespace
}  // namespace agneto::model
