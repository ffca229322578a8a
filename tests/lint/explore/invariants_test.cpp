#include <gmock/gmock.h>

#include "lint/explore/explorations.h"
#include "lint/explore/judging.h"
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
      R"text(/team/flow.yaml:4:5: error: an invariant needs one of never, always_eventually, after [E127/one-of]
  - {description: All is well}
    ^~~~~~~~~~~~~~~~~~~~~~~~~~
)text");
  EXPECT_EQ(
      lint_invariant("{after: ctx.reviewed}", merging),
      R"text(/team/flow.yaml:4:5: error: an invariant with 'after' needs the key 'eventually' [E122/missing-key]
  - {after: ctx.reviewed}
    ^~~~~~~~~~~~~~~~~~~~~
  help: after: what is followed; eventually: what becomes true then or later
)text");
  EXPECT_EQ(
      lint_invariant("{eventually: ctx.reviewed}", merging),
      R"text(/team/flow.yaml:4:5: error: an invariant with 'eventually' needs the key 'after' [E122/missing-key]
  - {eventually: ctx.reviewed}
    ^~~~~~~~~~~~~~~~~~~~~~~~~~
  help: after: what is followed; eventually: what becomes true then or later
)text");
}

// The machine has something to take yet, and comes to the state in both ways.
TEST(Invariant, IsNotBrokenByWhatIsGuessedBeforeTheLastStep) {
  EXPECT_EQ(
      lint_invariant("{never: state_in(\"B\") and ctx.reviewed}", R"(context: {reviewed: false}
outputs: {reviewed: ctx.reviewed}
initial: A
states:
  A:
    on:
      go:
        - {guard: "false", do: ctx.reviewed = true; send("on"), target: B}
        - B
  B: {on: {on: C}}
  C: {final: true}
)"),
      R"text(/team/flow.yaml:4:13: warning: this possibly happens, in 'B' [W234/unproven-invariant]
  - {never: state_in("B") and ctx.reviewed}
            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: flags, choices and counters can be worked out, as far as they are assigned from each other, from literals, and from flags and choices of a verdict
  trace: agneto simulate /team/flow.yaml --events -
    go
/team/flow.yaml:12:19: warning: the guard 'false' is always the same, whatever happens [W306/constant-guard]
        - {guard: "false", do: ctx.reviewed = true; send("on"), target: B}
                  ^~~~~~~
  help: leave it out if it is true, the transition if it is false; a text is always true
)text");
}

// Each number of a small range is tried, and not the default alone.
TEST(Invariant, IsOfEachNumberOfASmallRange) {
  const auto tried = [](const std::string& range) {
    return lint_invariant("{never: state_in(\"MANY\")}",
                          "inputs: {tries: {type: integer, default: 1" + range + R"(}}
context: {n: 0}
initial: A
states:
  A:
    entry: ctx.n = ctx.n + 1
    run: {argv: [make]}
    on:
      ok: END
      failed: [{guard: ctx.n < inputs.tries, target: A}, {guard: ctx.n >= 3, target: MANY}, END]
      error: END
  MANY: {final: true}
  END: {final: true}
)");
  };
  EXPECT_THAT(tried(", minimum: 1, maximum: 2"),
              testing::AllOf(testing::HasSubstr("guards never let this transition of 'A' be taken"),
                             testing::Not(testing::HasSubstr("[E233/"))));
  EXPECT_EQ(tried(", minimum: 1, maximum: 50"), "") << "its default";
  EXPECT_THAT(tried(", minimum: 1, maximum: 3"),
              testing::HasSubstr("error: this happens, in 'MANY' [E233/broken-invariant]"));
  EXPECT_THAT(tried(", minimum: 1, maximum: 3"), testing::HasSubstr("--input tries=3"));
}

// The machine inside can end when it begins, and not once it waits.
TEST(Invariant, IsNotProvedByAMachineThatNeedNotEnd) {
  const std::string main = R"(agneto: 1
name: flow
invariants: [{always_eventually: state_in("END")}]
initial: A
states:
  A: {machine: part.yaml, on: {GOOD: END, error: END}}
  END: {final: true}
)";
  const auto part = [](const std::string& failed) {
    return R"(agneto: 1
name: part
initial: A
states:
  A: {run: {argv: [make]}, on: {ok: GOOD, failed: B, error: GOOD}}
  B: {on: {limit: GOOD)" +
           failed + R"(}}
  GOOD: {final: true}
)";
  };
  EXPECT_THAT(
      lint_files({{"flow.yaml", main}, {"part.yaml", part("")}}),
      testing::HasSubstr("warning: whether this can become true in 'A' depends on whether 'A' "
                         "can end in 'GOOD' [W234/unproven-invariant]"));
  EXPECT_EQ(lint_files({{"flow.yaml", main}, {"part.yaml", part(", go: GOOD")}}), "");
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

// What need not be possible proves no way, and says so.
TEST(Invariant, OfWhatCanStillBecomeTrueRestsOnWhatSurelyCanHappen) {
  const std::string timers = R"(initial: A
states:
  A: {after: {1m: B, 2m: D}}
  B: {after: {1m: A}, on: {STOP: E}}
  D: {final: true}
  E: {final: true, status: failed}
)";
  const std::string found = lint_invariant("always_eventually: state_in(\"D\")", timers);
  EXPECT_NE(found.find("whether this can become true in 'A' depends on whether the timer '2m' of "
                       "'A' comes due first [W234/unproven-invariant]"),
            std::string::npos)
      << found;
  const std::string behind = R"(initial: P
states:
  P:
    after: {10m: D}
    initial: A
    on: {STOP: E}
    states:
      A: {after: {1m: B}}
      B: {after: {1m: A}}
  D: {final: true}
  E: {final: true, status: failed}
)";
  EXPECT_EQ(lint_invariant("always_eventually: state_in(\"D\")", behind), "");
  const std::string again = R"(initial: P
states:
  P:
    after: {10m: D}
    initial: A
    on: {STOP: E}
    states:
      A: {after: {1m: P}}
  D: {final: true}
  E: {final: true, status: failed}
)";
  EXPECT_NE(lint_invariant("always_eventually: state_in(\"D\")", again)
                .find("whether this can become true in 'A' depends on whether"),
            std::string::npos);
}

TEST(Invariant, IsNotBrokenByTheErrorOfAQuestionThatCannotFail) {
  const std::string asking = R"(initial: A
states:
  A:
    ask: {question: Is it good, options: {GOOD: It is, BAD: It is not}}
    on: {GOOD: D, BAD: D, error.exit: E}
  D: {final: true}
  E: {final: true, status: failed}
)";
  EXPECT_EQ(lint_invariant("never: state_in(\"E\")", asking).find("E233"), std::string::npos);
}

std::string lint_after(const std::string& after, const std::string& eventually,
                       const std::string& rest) {
  return lint_invariant("{after: state_in(\"" + after + "\"), eventually: " + eventually + "}",
                        rest);
}

const std::string asking = R"(initial: WORKING
states:
  WORKING:
    run: {argv: [make]}
    on: {ok: ASKING, failed: WORKING, error: STOPPED}
    after: {5m: STOPPED}
  ASKING:
    ask: {question: Is it good, options: {GOOD: It is, AGAIN: Make it again, LATER: Wait}}
    on: {GOOD: MERGED, AGAIN: WORKING, LATER: POLLING}
  POLLING:
    after: {1m: LOOKING}
  LOOKING:
    run: {argv: [look]}
    on: {ok: POLLING, failed: STOPPED, error: STOPPED, push: WAITING}
  WAITING: {on: {push: WORKING}}
  MERGED: {final: true}
  STOPPED: {final: true, status: failed}
)";

// Each outcome comes some time, and so does one of the timers where nothing else is waited for.
TEST(Invariant, OfWhatFollowsHoldsOnFairPaths) {
  EXPECT_EQ(lint_after("ASKING", "not state_in(\"WORKING\") and not state_in(\"ASKING\")", asking),
            "");
  EXPECT_EQ(lint_after("ASKING", "state_in(\"ASKING\")", asking), "");
  EXPECT_EQ(lint_after("POLLING", "state_in(\"LOOKING\")", asking), "");
  EXPECT_EQ(lint_after("WORKING", "state_in(\"ASKING\") or state_in(\"STOPPED\")", asking), "");
}

TEST(Invariant, OfWhatFollowsIsBrokenByAnEndWithoutIt) {
  EXPECT_EQ(
      lint_after("WORKING", "state_in(\"ASKING\")", asking),
      R"text(/team/flow.yaml:4:46: error: once in 'WORKING', this need never become true: the machine ends in 'STOPPED' without it [E233/broken-invariant]
  - {after: state_in("WORKING"), eventually: state_in("ASKING")}
                                             ^~~~~~~~~~~~~~~~~~
  help: change the workflow, or the invariant where it says too much
  trace: agneto simulate /team/flow.yaml --events -
    {"advance":"5m"}
)text");
}

// A program may end well each time, and a person cannot help where nobody is asked any more.
TEST(Invariant, OfWhatFollowsIsBrokenByALoopWithoutIt) {
  EXPECT_EQ(
      lint_after("ASKING", "state_in(\"MERGED\") or state_in(\"STOPPED\")", asking),
      R"text(/team/flow.yaml:4:45: error: once in 'ASKING', this need never become true: the last 2 events shown lead back to 'POLLING', and so on for ever [E233/broken-invariant]
  - {after: state_in("ASKING"), eventually: state_in("MERGED") or state_in("STOPPED")}
                                            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: change the workflow, or the invariant where it says too much
  trace: agneto simulate /team/flow.yaml --events -
    {"event":"ok","from":"WORKING"}
    {"event":"LATER","from":"ASKING"}
    {"advance":"1m"}
    {"event":"ok","from":"LOOKING"}
)text");
}

TEST(Invariant, OfWhatFollowsIsBrokenByWaitingForAnEventFromOutside) {
  EXPECT_EQ(
      lint_after("WAITING", "state_in(\"WORKING\")", asking),
      R"text(/team/flow.yaml:4:46: error: once in 'WAITING', this need never become true: the machine may wait in 'WAITING' for ever [E233/broken-invariant]
  - {after: state_in("WAITING"), eventually: state_in("WORKING")}
                                             ^~~~~~~~~~~~~~~~~~~
  help: change the workflow, or the invariant where it says too much
  trace: agneto simulate /team/flow.yaml --events -
    {"event":"ok","from":"WORKING"}
    {"event":"LATER","from":"ASKING"}
    {"advance":"1m"}
    push
)text");
}

TEST(Invariant, OfWhatFollowsIsNotProvedWhereAGuardOnATextDecides) {
  EXPECT_EQ(
      lint_after("ASKING", "state_in(\"MERGED\") or state_in(\"STOPPED\")",
                 R"(context: {note: ""}
initial: WORKING
states:
  WORKING:
    run: {argv: [make]}
    on: {ok: {target: ASKING, do: ctx.note = event.output}, failed: STOPPED, error: STOPPED}
  ASKING:
    ask: {question: Is it good, options: {GOOD: It is, AGAIN: Make it again}}
    on:
      GOOD:
        - {guard: ctx.note ~= "bad", target: MERGED}
        - WORKING
      AGAIN: WORKING
  MERGED: {final: true}
  STOPPED: {final: true, status: failed}
)"),
      R"text(/team/flow.yaml:4:45: warning: once in 'ASKING', this possibly need never become true: the last 2 events shown lead back to 'ASKING', and so on for ever [W234/unproven-invariant]
  - {after: state_in("ASKING"), eventually: state_in("MERGED") or state_in("STOPPED")}
                                            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: what a guard on a text decides, and what another machine ends in, may be the same each time
  trace: agneto simulate /team/flow.yaml --events -
    {"data":{"output":"x"},"event":"ok","from":"WORKING"}
    {"event":"GOOD","from":"ASKING"}
)text");
}

// The limit comes some time, and leads out.
TEST(Invariant, OfWhatFollowsIsNotBrokenByALoopThatALimitEnds) {
  const auto limited = [](const std::string& on) {
    return lint_after("A", "state_in(\"END\")", R"(agents: {a: {hooks: hooks.lua}}
limits: {calls: 9}
initial: A
)" + on + R"(states:
  A: {agent: {name: a, verdicts: {GOOD: {}, BAD: {}}}, on: {GOOD: B, BAD: B, error: B}}
  B: {run: {argv: [make]}, on: {ok: A, failed: A, error: A}}
  END: {final: true}
)");
  };
  const std::string loop = "the last 2 events shown lead back to 'A', and so on for ever";
  EXPECT_NE(limited("on: {stop: END}\n").find("need never become true: " + loop + " [E233/"),
            std::string::npos);
  EXPECT_NE(limited("on: {limit: END}\n").find("possibly need never become true: " + loop),
            std::string::npos);
}

// It always ends, whichever way; but it may end the same way each time, or wait for an event.
TEST(Invariant, OfWhatFollowsAMachine) {
  const auto lint_flow =
      [](const std::string& bad, const std::string& waiting) {
        return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
context: {tries: 0}
invariants: [{after: state_in("A"), eventually: state_in("D")}]
initial: A
states:
  A:
    machine: child.yaml
    on:
      GOOD: D
      BAD: [{guard: ctx.tries < )" + bad + R"(, target: A, do: ctx.tries = ctx.tries + 1}, D]
      error: D
  D: {final: true}
)"},
                           {"child.yaml", R"(agneto: 1
name: child
initial: A
states:
  A: {ask: {question: Well, options: {GO: Go, AGAIN: Again}}, on: {GO: B, AGAIN: A}}
  B: {run: {argv: [make]}, on: {ok: GOOD, failed: BAD, error: )" +
                                              waiting + R"(}}
  C: {on: {go: GOOD}}
  GOOD: {final: true}
  BAD: {final: true, status: failed}
)"}});
      };
  EXPECT_EQ(lint_flow("3", "BAD").find("W234"), std::string::npos);
  EXPECT_NE(lint_flow("3", "C").find("the machine may wait in 'A' for ever [W234/"),
            std::string::npos);
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

// Five to the power of sixty configurations, of which each invariant looks at five.
TEST(Invariant, IsJudgedByWhatItLooksAt) {
  std::string context = "context: {";
  std::string options = "    ask: {question: Which, options: {STOP: Stop";
  std::string on = "    on:\n      STOP: END\n";
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    context += "c" + n + ": 0, ";
    options += ", B" + n + ": B" + n;
    on += "      B" + n + ": {guard: ctx.c" + n + " < " + (i == 5 ? "3" : "4") +
          ", target: A, do: ctx.c" + n + " = ctx.c" + n + " + 1}\n";
  }
  context.resize(context.size() - 2);
  const Judged judged(
      "agneto: 1\nname: flow\ninitial: A\n" + context +
          "}\ninvariants: [{never: ctx.c3 == 4}, {never: ctx.c5 == 4}, {never: ctx.c6 == 5},\n"
          "  {after: ctx.c7 == 1, eventually: ctx.c7 == 2}]\nstates:\n  A:\n" +
          options + "}}\n" + on + "  END: {final: true}\n",
      200);
  ASSERT_FALSE(judged.has_errors());
  const auto said = [&](std::size_t invariant) {
    const auto judgement = judged.of(invariant);
    return judgement ? judgement->message : "proved";
  };
  EXPECT_FALSE(judged.exploration().complete());
  EXPECT_EQ(said(0), "this happens, in 'A'");
  EXPECT_EQ(said(1), "proved");
  EXPECT_EQ(said(2), "proved");
  EXPECT_EQ(said(3),
            "once in 'A', this need never become true: the machine ends in 'END' without it");
}

}  // namespace
}  // namespace agneto::lint
