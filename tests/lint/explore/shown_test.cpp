// Findings that are read from the text, and yield to what exploring knows.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string flow(const std::string& head, const std::string& states) {
  return "agneto: 1\nname: flow\n" + head + "states:\n" + states;
}

TEST(Shown, AnOutcomeThatNeverComesNeedsNoTransition) {
  const std::string states = R"(  BUILDING:
    run: {argv: [make]}
    on: {ok: {target: ASKING, do: ctx.built = true}, failed: {target: ASKING, do: ctx.built = WAS}}
  ASKING:
    ask: {question: Well, options: {GO: Go, FIX: {label: Fix, when: not ctx.built}}}
    on: {GO: DONE}
  DONE: {final: true}
)";
  const std::string head = "context: {built: false}\ninitial: BUILDING\n";
  const auto with = [&](const std::string& value) {
    std::string text = states;
    text.replace(text.find("WAS"), 3, value);
    return lint_text(flow(head, text));
  };
  EXPECT_EQ(with("true"), "");
  EXPECT_EQ(
      with("false"),
      R"(/team/flow.yaml:10:45: warning: no transition of 'ASKING' or around it takes the option 'FIX', which fails the machine [W413/untaken-outcome]
    ask: {question: Well, options: {GO: Go, FIX: {label: Fix, when: not ctx.built}}}
                                            ^~~
  help: add a transition: on: {FIX: STATE}
)");
}

TEST(Shown, AGuardThatIsTrueWheneverTheOutcomeComesNeedsNoOther) {
  const auto with = [](const std::string& failed) {
    return lint_text(flow("context: {built: false}\ninitial: BUILDING\n", R"(  BUILDING:
    run: {argv: [make]}
    on: {ok: {target: CHECKING, do: ctx.built = true}, failed: )" + failed + R"(}
  CHECKING:
    run: {argv: [make, check]}
    on:
      ok: {guard: ctx.built, target: DONE}
      failed: DONE
  DONE: {final: true}
)"));
  };
  EXPECT_EQ(with("DONE"), "");
  EXPECT_EQ(
      with("CHECKING"),
      R"(/team/flow.yaml:12:19: warning: this can be false, and nothing else takes the outcome 'ok' of 'CHECKING', which fails the machine then [W417/guarded-outcome]
      ok: {guard: ctx.built, target: DONE}
                  ^~~~~~~~~
  help: add an alternative without a guard behind it
  trace: agneto simulate /team/flow.yaml --events -
    {"event":"failed","from":"BUILDING"}
    {"event":"ok","from":"CHECKING"}
)");
}

TEST(Shown, AWayThatGuardsCloseIsNone) {
  const auto with = [](const std::string& checked) {
    return lint_text(
        flow("agents:\n  coder: {hooks: hooks.lua, access: edit}\ninitial: A\n", R"(  A:
    agent: {name: coder, verdicts: {CODED: {}}}
    on: {CODED: COMMITTING, error: FAILED}
  COMMITTING:
    workspace: {commit: {message: Done}}
    on:
      ok: [{guard: ctx.checked, target: MERGING}, CHECKING]
      failed: FAILED
  CHECKING:
    run: {argv: [make, check]}
    on: {ok: {target: COMMITTING, do: ctx.checked = true}, failed: FAILED, error: FAILED}
  MERGING:
    workspace: {merge: {}}
    on: {ok: DONE, failed: FAILED, conflict: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
context: {checked: )" + checked + "}\n"));
  };
  EXPECT_THAT(with("false"), Not(HasSubstr("W422")));
  EXPECT_THAT(with("true"), HasSubstr("'MERGING' merges what the agent of 'A' did, and nobody has "
                                      "looked at it [W422/ungated-merge]"));
}

// `other` is the rest of a transition, behind its target.
std::string regions(const std::string& one, const std::string& other) {
  return lint_text(flow("context: {said: \"\", goal: a, go: false}\ninitial: WORK\n", R"(  WORK:
    parallel: true
    on: {done.state.WORK: DONE}
    states:
      ONE:
        initial: A
        states:
          A: {run: {argv: [make]}, on: {ok: {target: AA, do: )" + one + R"(}, failed: AA}}
          AA: {final: true}
      TWO:
        initial: B
        states:
          B: {run: {argv: [make]}, on: {ok: [{target: BB, do: )" + other + R"(}, BB], failed: BB}}
          BB: {final: true}
  DONE: {final: true, entry: ctx.go = true}
outputs: {said: ctx.said, goal: ctx.goal}
)"));
}

const std::string race =
    "'ONE' and 'TWO', which are active at once, both assign ctx.said: the later one stays";

TEST(Shown, WordsThatMeanAnotherValueEachTimeAreARace) {
  EXPECT_THAT(
      regions("ctx.said = event.output", "ctx.said = event.output, guard: event.output ~= ''"),
      HasSubstr(race));
  EXPECT_THAT(regions("ctx.said = ctx.goal", "ctx.said = ctx.goal, guard: event.output ~= ''"),
              Not(HasSubstr(race)));
  EXPECT_THAT(regions("ctx.said = ctx.goal",
                      "\"ctx.said = ctx.goal; ctx.goal = 'b'\", guard: event.output ~= ''"),
              HasSubstr(race));
  EXPECT_THAT(regions("ctx.said = 'a'", "ctx.said = 'a', guard: event.output ~= ''"),
              Not(HasSubstr(race)));
}

TEST(Shown, WhatIsNeverAssignedIsNoRace) {
  EXPECT_THAT(regions("ctx.said = 'a'", "ctx.said = 'b', guard: ctx.go"), Not(HasSubstr(race)));
  EXPECT_THAT(regions("ctx.said = 'a'", "ctx.said = 'b', guard: not ctx.go"), HasSubstr(race));
}

// A guard that is always true is one mistake, however many alternatives stand behind it.
TEST(Shown, WhatOneGuardKeepsFromBeingTakenIsToldOnce) {
  EXPECT_EQ(
      lint_text(flow("context: {n: 0}\ninitial: A\n", R"(  A:
    run: {argv: [make]}
    on:
      ok:
        - {guard: ctx.n < 5, target: B}
        - {guard: ctx.n < 7, target: C}
        - {guard: ctx.n > 3, target: C}
        - C
      failed: {target: C, do: ctx.n = 1}
      error: B
  C:
    run: {argv: [make, clean]}
    on: {ok: {guard: ctx.n == 1, target: A}, failed: B, error: B}
  B: {final: true}
)")),
      R"(/team/flow.yaml:11:38: warning: guards never let this transition of 'A' be taken [W226/dead-transition]
        - {guard: ctx.n < 7, target: C}
                                     ^
  help: all 4 states of the machine with its data were explored
)");
}

}  // namespace
}  // namespace agneto::lint
