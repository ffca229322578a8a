#include <gtest/gtest.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

std::string lint_invariant(const std::string& invariant, const std::string& rest) {
  return lint_text("agneto: 1\nname: flow\ninvariants:\n  - " + invariant + "\n" + rest);
}

const std::string merging = R"(context: {reviewed: false, note: ""}
outputs: {reviewed: ctx.reviewed, note: ctx.note}
initial: WORKING
states:
  WORKING:
    run: {argv: [make]}
    on:
      ok: MERGED
      failed: {target: ASKING, do: ctx.note = event.output}
      error: STOPPED
  ASKING:
    ask: {question: Is it good, options: {GOOD: It is, BAD: It is not}}
    on: {GOOD: {target: MERGED, do: ctx.reviewed = true}, BAD: STOPPED}
  MERGED: {final: true}
  STOPPED: {final: true, status: failed}
)";

TEST(Invariant, IsOneThing) {
  EXPECT_EQ(
      lint_invariant("{never: ctx.reviewed, always_eventually: ctx.reviewed}", merging),
      R"text(/team/flow.yaml:4:27: error: an invariant has 'never' already, and takes one of them [E127/one-of]
  - {never: ctx.reviewed, always_eventually: ctx.reviewed}
                          ^~~~~~~~~~~~~~~~~
)text");
  EXPECT_EQ(
      lint_invariant("{description: All is well}", merging),
      R"text(/team/flow.yaml:4:5: error: an invariant needs one of never, always_eventually [E127/one-of]
  - {description: All is well}
    ^~~~~~~~~~~~~~~~~~~~~~~~~~
)text");
}

TEST(Invariant, IsAlsoOfTheEnd) {
  EXPECT_EQ(lint_invariant("never: state_in(\"MERGED\") and not ctx.reviewed", merging),
            R"text(/team/flow.yaml:4:12: error: this happens, in 'MERGED' [E233/broken-invariant]
  - never: state_in("MERGED") and not ctx.reviewed
           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: change the workflow, or the invariant where it says too much
  trace: agneto simulate /team/flow.yaml --events -
    {"data":{"output":"x"},"event":"ok","from":"WORKING"}
)text");
  EXPECT_EQ(lint_invariant("never: state_in(\"STOPPED\") and ctx.reviewed", merging), "");
}

TEST(Invariant, OfWhatCanStillBecomeTrue) {
  EXPECT_EQ(lint_invariant("always_eventually: state_in(\"MERGED\")", merging), "");
  EXPECT_EQ(
      lint_invariant("always_eventually: state_in(\"WORKING\")", merging),
      R"text(/team/flow.yaml:4:24: error: this cannot become true any more, once in 'ASKING' [E233/broken-invariant]
  - always_eventually: state_in("WORKING")
                       ^~~~~~~~~~~~~~~~~~~
  help: change the workflow, or the invariant where it says too much
  trace: agneto simulate /team/flow.yaml --events -
    {"data":{"output":"x"},"event":"failed","from":"WORKING"}
)text");
}

TEST(Invariant, ThatHangsOnATextIsNotProved) {
  EXPECT_EQ(
      lint_invariant("never: ctx.note == \"bad\"", merging),
      R"text(/team/flow.yaml:4:12: warning: whether this happens in 'ASKING' depends on what cannot be worked out [W234/unproven-invariant]
  - never: ctx.note == "bad"
           ^~~~~~~~~~~~~~~~~
  help: flags, choices and counters can be worked out, as far as they are assigned from each other, from literals, and from flags and choices of a verdict
  trace: agneto simulate /team/flow.yaml --events -
    {"data":{"output":"x"},"event":"failed","from":"WORKING"}
)text");
}

TEST(Invariant, IsNotProvedWhereSomethingCannotBeFollowed) {
  EXPECT_EQ(
      lint_invariant("always_eventually: state_in(\"END\")", R"(context: {name: go}
initial: A
states:
  A:
    run: {argv: [make]}
    on: {ok: {do: raise(ctx.name)}, go: END, failed: END, error: END}
  END: {final: true}
)"),
      R"text(/team/flow.yaml:4:24: warning: this is neither proved nor disproved: an action does what cannot be worked out [W234/unproven-invariant]
  - always_eventually: state_in("END")
                       ^~~~~~~~~~~~~~~
  help: write out the names of events that are raised, and assign entries of `ctx` by name
)text");
}

// Its own default is another one.
TEST(Invariant, OfAMachineThatOthersDelegateTo) {
  EXPECT_EQ(
      lint_files({{"flow.yaml", R"(agneto: 1
name: flow
initial: A
states:
  A:
    machine: child.yaml
    with: {n: "3"}
    on: {GOOD: C, BAD: C, error: C}
  C: {final: true}
)"},
                  {"child.yaml", R"(agneto: 1
name: child
inputs: {n: {type: integer, default: 1}}
invariants:
  - never: inputs.n == 3 and state_in("GOOD")
initial: A
states:
  A:
    run: {argv: [echo, "{{inputs.n}}"]}
    on: {ok: GOOD, failed: BAD, error: BAD}
  GOOD: {final: true}
  BAD: {final: true, status: failed}
)"}}),
      R"text(/team/child.yaml:5:12: error: this happens, in 'GOOD' where it is given n = 3 [E233/broken-invariant]
  - never: inputs.n == 3 and state_in("GOOD")
           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: change the workflow, or the invariant where it says too much
  trace: agneto simulate /team/child.yaml --input n=3 --events -
    {"event":"ok","from":"A"}
)text");
}

// One call is made, and the workflow allows five.
TEST(Invariant, IsNotBrokenByALimitThatIsNotReached) {
  const auto limited = [](const std::string& calls) {
    return lint_invariant("never: ctx.over", "limits: {calls: " + calls + R"(}
context: {over: false}
agents: {a: {hooks: hooks.lua}}
initial: A
on: {limit.calls: {target: B, do: ctx.over = true}}
states:
  A:
    agent: {name: a, verdicts: {GOOD: {}, BAD: {}}}
    on: {GOOD: B, BAD: B, error: B}
  B: {final: true}
)");
  };
  EXPECT_NE(limited("5").find("warning: this possibly happens, in 'B' [W234/"), std::string::npos);
  EXPECT_NE(limited("1").find("error: this happens, in 'B' [E233/"), std::string::npos);
}

}  // namespace
}  // namespace agneto::lint
