// Machines that delegate to machines.
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

// A parent with one state that delegates, and `child` beside it.
Texts parent_of(const std::string& child, const std::string& on = "any: AFTER") {
  return {
      {"main.yaml",
       "initial: SUB\nstates:\n  SUB:\n    machine: child.yaml\n    exit: mark(-SUB)\n    on: {" +
           on + ", leave: AFTER}\n  AFTER: {}\n"},
      {"child.yaml", child}};
}

TEST(Delegation, StartsTheMachineWithItsOwnInputsAndData) {
  Play play(Texts{{"main.yaml", R"yaml(
    agneto: 1
    name: parent
    context: {word: secret}
    initial: SUB
    states:
      SUB: {machine: child.yaml, with: {said: "ctx.word .. '!'"}, on: {DONE: END}}
      END: {}
  )yaml"},
                  {"child.yaml", R"yaml(
    agneto: 1
    name: child
    inputs: {said: string, times: {type: integer, default: 2}}
    context: {heard: {type: string, init: inputs.said}}
    initial: A
    states: {A: {run: {argv: [x]}, on: {ok: DONE}}, DONE: {final: true}}
  )yaml"}});
  EXPECT_EQ(play.moved(), "+SUB#1 +SUB#1/A#1");
  EXPECT_EQ(play.active(), "SUB#1 SUB#1/A#1");
  EXPECT_EQ(play.effects(), "run SUB#1/A#1");
  EXPECT_EQ(play.outstanding(), "SUB#1/A#1");
  EXPECT_EQ(play.instance().data("SUB#1"), (Json{{"inputs", {{"said", "secret!"}, {"times", 2}}},
                                                 {"ctx", {{"heard", "secret!"}}}}));
  EXPECT_EQ(play.instance().data("SUB#2"), nullptr);
}

TEST(Delegation, TheOutcomeReachesTheParentInAFollowingStep) {
  Play play(Texts{{"main.yaml", R"yaml(
    initial: SUB
    states:
      SUB: {machine: child.yaml, on: {GOOD: {target: END, do: ctx.log = event.what}}}
      END: {}
  )yaml"},
                  {"child.yaml", R"yaml(
    initial: A
    states: {A: {run: {argv: [x]}, on: {ok: DONE}}, DONE: {final: true, outcome: GOOD}}
    outputs: {what: "'it'"}
  )yaml"}});
  EXPECT_TRUE(play.outcome("SUB#1/A#1", "ok"));
  EXPECT_EQ(play.moved(), "-SUB#1/A#1 +SUB#1/DONE#1 -SUB#1/DONE#1");
  EXPECT_EQ(play.active(), "SUB#1");
  EXPECT_TRUE(play.instance().pending());
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.out().event, "GOOD");
  EXPECT_EQ(play.active(), "END#1");
  EXPECT_EQ(play.log(), "it");
  EXPECT_EQ(play.effects(), "");
}

TEST(Delegation, AMachineThatEndsAtOnceStillDeliversInAFollowingStep) {
  Play play(parent_of("initial: F\nstates: {F: {final: true}}"));
  EXPECT_EQ(play.moved(), "+SUB#1 +SUB#1/F#1 -SUB#1/F#1");
  EXPECT_EQ(play.active(), "SUB#1");
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.active(), "AFTER#1");
}

TEST(Delegation, TheOutcomeIsAddressed) {
  Play play(Texts{{"main.yaml", R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {F: {do: mark(P)}}
        states:
          R: {initial: SUB, states: {SUB: {machine: child.yaml}}}
          S: {initial: S1, states: {S1: {on: {F: {do: mark(S)}}}}}
  )yaml"},
                  {"child.yaml", "initial: F\nstates: {F: {final: true}}"}});
  play.queued();
  EXPECT_EQ(play.log(), "P");
}

TEST(Delegation, LeavingTheStateEndsTheMachineInnermostFirst) {
  Play play(parent_of(R"yaml(
    initial: A
    exit: error('child exits')
    states:
      A:
        initial: B
        exit: error('A exits')
        states: {B: {run: {argv: [x]}, after: {1h: B}, entry: "send('x', nil, {after = '5s', id = 's'})"}}
  )yaml"));
  EXPECT_TRUE(play.send("leave"));
  EXPECT_EQ(play.moved(), "-SUB#1/B#1 -SUB#1/A#1 -SUB#1 +AFTER#1");
  EXPECT_EQ(play.effects(),
            "cancel SUB#1/B#1, cancel SUB#1/B#1/after:1, cancel SUB#1/send:s, suspend SUB#1/A#1, "
            "suspend SUB#1");
  EXPECT_EQ(play.log(), "-SUB");
  EXPECT_EQ(play.outstanding(), "");
  EXPECT_FALSE(play.outcome("SUB#1/B#1", "ok"));
  EXPECT_FALSE(play.timer("SUB#1/send:s"));
}

TEST(Delegation, AnUntakenOutcomeFailsTheMachineAndTellsTheParent) {
  Play play(parent_of("initial: A\nstates: {A: {run: {argv: [x]}}}",
                      "error.unhandled: {target: AFTER, do: \"ctx.log = event.state .. ' ' .. "
                      "event.data.event .. ': ' .. event.message\"}"));
  EXPECT_FALSE(play.outcome("SUB#1/A#1", "failed"));
  EXPECT_EQ(play.problems(),
            "error.unhandled at SUB#1: A ended in 'failed', which no transition takes");
  EXPECT_EQ(play.active(), "SUB#1");
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.log(), "A failed: A ended in 'failed', which no transition takes");
}

TEST(Delegation, AFailureThatNobodyTakesFailsTheParentsToo) {
  Play play(Texts{{"main.yaml", "initial: SUB\nstates: {SUB: {machine: child.yaml}}"},
                  {"child.yaml", "initial: SUB\nstates: {SUB: {machine: grandchild.yaml}}"},
                  {"grandchild.yaml", "initial: A\nstates: {A: {run: {argv: [x]}}}"}});
  EXPECT_EQ(play.outstanding(), "SUB#1/SUB#1/A#1");
  play.outcome("SUB#1/SUB#1/A#1", "ok");
  play.drain();
  EXPECT_EQ(play.effects(), "finish error.unhandled failed");
  EXPECT_EQ(play.effect<Finish>().reason,
            "SUB ended in 'error.unhandled', which no transition takes: SUB ended in "
            "'error.unhandled', which no transition takes: A ended in 'ok', which no transition "
            "takes");
}

TEST(Delegation, ALivelockIsTheActivitysOutcome) {
  Play play(parent_of("initial: A\nstates: {A: {on: {go: B}}, B: {always: C}, C: {always: B}}",
                      "error.livelock: AFTER"));
  EXPECT_TRUE(play.send("go"));
  EXPECT_THAT(play.problems(), testing::StartsWith("error.livelock at SUB#1: "));
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.active(), "AFTER#1");
}

// The parent's macrostep left the child before it went round in circles.
TEST(Delegation, ARolledBackParentCancelsItsChildOnce) {
  Play play(Texts{{"main.yaml", R"yaml(
    initial: SUB
    states:
      SUB: {machine: child.yaml, on: {go: B}}
      B: {always: C}
      C: {always: B}
  )yaml"},
                  {"child.yaml", R"yaml(
    initial: A
    states: {A: {run: {argv: [x]}, exit: ctx.log = ctx.log .. 'x'}}
  )yaml"}});
  EXPECT_TRUE(play.send("go"));
  EXPECT_EQ(play.moved(), "-SUB#1/A#1 -SUB#1");
  EXPECT_EQ(play.effects(), "cancel SUB#1/A#1, finish error.livelock failed");
}

TEST(Delegation, InputsThatDoNotFitAreTheActivitysError) {
  Play play(Texts{{"main.yaml", R"yaml(
    initial: SUB
    context: {log: '', n: {type: any}}
    states:
      SUB: {machine: child.yaml, with: {n: ctx.log}, on: {error.lua: {target: END, do: ctx.log = event.message}}}
      END: {}
  )yaml"},
                  {"child.yaml", R"yaml(
    agneto: 1
    name: child
    inputs: {n: integer}
    initial: A
    states: {A: {}}
  )yaml"}});
  EXPECT_EQ(play.moved(), "+SUB#1");
  EXPECT_TRUE(play.queued());
  EXPECT_THAT(play.log(), testing::StartsWith("main.yaml:6: child: input 'n'"));
}

TEST(Delegation, WithoutEndIsALivelock) {
  Play play(Texts{{"main.yaml", "initial: SUB\nstates: {SUB: {machine: child.yaml}}"},
                  {"child.yaml", R"yaml(
    initial: SUB
    states:
      SUB: {machine: child.yaml, on: {error: F}}
      F: {final: true}
  )yaml"}});
  EXPECT_EQ(play.instance().active().size(), 20u);
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.out().event, "error.livelock");
  EXPECT_EQ(play.instance().active().size(), 19u);
}

TEST(Delegation, MachinesThatStartTwoOfTheirKindEachAreBounded) {
  Play play(R"yaml(
    initial: BOTH
    states:
      BOTH:
        parallel: true
        states:
          L: {initial: A, states: {A: {machine: main.yaml}}}
          R: {initial: B, states: {B: {machine: main.yaml}}}
  )yaml");
  EXPECT_EQ(play.instance().active().size(), 2000U);
  EXPECT_FALSE(play.queued());
  EXPECT_EQ(play.out().event, "error.livelock");
}

TEST(Delegation, AnEnteredAgainStateStartsANewMachine) {
  Play play(parent_of("initial: A\nstates: {A: {run: {argv: [x]}}}", "again: SUB"));
  play.send("again");
  EXPECT_EQ(play.moved(), "-SUB#1/A#1 -SUB#1 +SUB#2 +SUB#2/A#1");
  EXPECT_EQ(play.effects(), "cancel SUB#1/A#1, run SUB#2/A#1");
}

TEST(Delegation, AnOutcomeForAStateThatWasLeftIsDropped) {
  Play play(parent_of("initial: F\nstates: {F: {final: true}}", "F: AFTER"));
  EXPECT_TRUE(play.instance().pending());
  play.send("leave");
  EXPECT_EQ(play.active(), "AFTER#1");
  EXPECT_FALSE(play.instance().pending());
}

TEST(Delegation, ATimerOfTheStateAndOneOfItsMachineDoNotMix) {
  Play play(parent_of("initial: A\nafter: {1s: B}\nstates: {A: {}, B: {}}", "x: AFTER"));
  EXPECT_EQ(play.effects(), "timer SUB#1/./after:1 1000ms");
  EXPECT_FALSE(play.timer("SUB#1/after:1"));
  EXPECT_TRUE(play.timer("SUB#1/./after:1"));
  EXPECT_EQ(play.active(), "SUB#1 SUB#1/B#1");
}

// Two children in regions; a grandchild below the first.
Texts family() {
  return {{"main.yaml", R"yaml(
    initial: P
    on: {abort: {do: mark(root)}, up: {do: mark(root-up)}}
    states:
      P:
        parallel: true
        states:
          R: {initial: ONE, states: {ONE: {machine: one.yaml, on: {ENDED: R2}}, R2: {}}}
          S: {initial: TWO, states: {TWO: {machine: two.yaml, on: {ENDED: S2}}, S2: {}}}
  )yaml"},
          {"one.yaml", R"yaml(
    initial: LEAF
    on: {abort: ENDED, up: {do: mark(one-up)}}
    states: {LEAF: {machine: leaf.yaml}, ENDED: {final: true}}
  )yaml"},
          {"two.yaml", "initial: A\non: {abort: ENDED}\nstates: {A: {}, ENDED: {final: true}}"},
          {"leaf.yaml", "initial: A\non: {abort: ENDED}\nstates: {A: {}, ENDED: {final: true}}"}};
}

TEST(Offering, AnEventFromOutsideGoesToEveryLeafMachineAndNoFurtherWhereItIsTaken) {
  Play play(family());
  EXPECT_TRUE(play.send("abort"));
  EXPECT_EQ(play.moved(),
            "-ONE#1/LEAF#1/A#1 +ONE#1/LEAF#1/ENDED#1 -ONE#1/LEAF#1/ENDED#1 "
            "-TWO#1/A#1 +TWO#1/ENDED#1 -TWO#1/ENDED#1");
  EXPECT_EQ(play.active(), "ONE#1 ONE#1/LEAF#1 TWO#1");
  EXPECT_EQ(play.log(), "");
}

TEST(Offering, UpwardsOnlyWhereNoDescendantTookIt) {
  Play play(family());
  EXPECT_TRUE(play.send("up"));
  EXPECT_EQ(play.ctx("ONE#1").at("log"), " one-up");
  EXPECT_EQ(play.log(), "") << "one.yaml took it below the root";
  EXPECT_FALSE(play.send("unknown.event"));
}

TEST(Offering, TheRootTakesWhatNoChildTakes) {
  Play play(parent_of("initial: A\nstates: {A: {}}"));
  EXPECT_TRUE(play.send("leave"));
  EXPECT_EQ(play.active(), "AFTER#1");
}

TEST(Offering, AnEventThatTheMachineSentItselfStaysInIt) {
  Play play(parent_of("initial: A\nstates: {A: {entry: send('leave'), on: {leave: B}}, B: {}}"));
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.active(), "SUB#1 SUB#1/B#1");
}

TEST(Offering, QueuedEventsOfTheWholeTreeAreTakenInOrder) {
  Play play(Texts{{"main.yaml", R"yaml(
    initial: SUB
    states:
      SUB:
        entry: send('first')
        machine: child.yaml
        on: {first: {do: mark(first)}, later: {do: "mark(later); send('third')"}, third: {do: mark(third)}}
  )yaml"},
                  {"child.yaml", R"yaml(
    initial: A
    states: {A: {entry: send('second'), on: {second: {do: mark(second)}}}}
  )yaml"}});
  std::vector<std::string> events;
  while (play.instance().pending()) {
    play.queued();
    events.push_back(play.out().event);
  }
  EXPECT_THAT(events, testing::ElementsAre("first", "second"));
}

TEST(Abort, ForcedEndsTheWholeTree) {
  Play play(family());
  play.abort("time is up");
  EXPECT_EQ(play.effects(), "finish aborted aborted");
  EXPECT_EQ(play.moved(),
            "-TWO#1/A#1 -TWO#1 -S#1 -ONE#1/LEAF#1/A#1 -ONE#1/LEAF#1 -ONE#1 -R#1 -P#1");
}

}  // namespace
}  // namespace agneto::chart
