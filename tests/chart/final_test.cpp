// Reaching final states.
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

TEST(Final, RaisesDoneOfItsParent) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        initial: B
        on: {done.state.A: C}
        states: {B: {on: {go: F}}, F: {final: true}}
      C: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "C#1");
  EXPECT_EQ(play.moved(), "-B#1 +F#1 -F#1 -A#1 +C#1");
}

TEST(Final, RegionBeforeParallelOnceAllRegionsAreFinal) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on:
          done.state.R: {do: mark(R)}
          done.state.S: {do: mark(S)}
          done.state.P: {do: mark(P)}
        states:
          R: {initial: R1, states: {R1: {on: {r: RF}}, RF: {final: true}}}
          S: {initial: S1, states: {S1: {on: {s: SF}}, SF: {final: true}}}
          H: {history: shallow, default: [R, S]}
  )yaml");
  play.send("r");
  EXPECT_EQ(play.log(), "R");
  play.send("s");
  EXPECT_EQ(play.log(), "S P");
}

TEST(Final, AllRegionsAtOnceRaiseEachRegionThenTheParallelOnce) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {done.state: {do: "ctx.log = ctx.log .. ' ' .. event.name"}}
        states:
          R: {initial: R1, states: {R1: {on: {go: RF}}, RF: {final: true}}}
          S: {initial: S1, states: {S1: {on: {go: SF}}, SF: {final: true}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "done.state.R done.state.S done.state.P");
}

TEST(Final, AParallelRegionCompletesTheParallelAroundIt) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {done.state: {do: "ctx.log = ctx.log .. ' ' .. event.name"}}
        states:
          Q:
            parallel: true
            states:
              R: {initial: R1, states: {R1: {on: {go: RF}}, RF: {final: true}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "done.state.R done.state.Q done.state.P");
}

TEST(Final, OneFurtherDownDoesNotCompleteTheRegion) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {done.state: {do: "ctx.log = ctx.log .. ' ' .. event.name"}}
        states:
          R:
            initial: R1
            states:
              R1: {initial: R11, states: {R11: {on: {go: RF}}, RF: {final: true}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "done.state.R1");
}

TEST(Final, ARegionThatGoesOnIsDoneNoLonger) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {done.state: {do: "ctx.log = ctx.log .. ' ' .. event.name"}}
        states:
          R: {initial: R1, on: {back: {target: R1, internal: true}}, states: {R1: {on: {r: RF}}, RF: {final: true}}}
          S: {initial: S1, states: {S1: {on: {s: SF}}, SF: {final: true}}}
  )yaml");
  for (const char* event : {"r", "back", "s"}) play.send(event);
  EXPECT_EQ(play.log(), "done.state.R done.state.S");
  play.send("r");
  EXPECT_EQ(play.log(), "done.state.R done.state.P");
}

TEST(Final, ATopLevelFinalRunsTheRemainingExitsAndEndsTheMachine) {
  Play play(R"yaml(
    initial: A
    exit: mark(-machine)
    states:
      A: {on: {go: F}, exit: mark(-A)}
      F: {final: true, entry: mark(+F), exit: mark(-F)}
    outputs: {said: ctx.log, in_a: state_in('A')}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.moved(), "-A#1 +F#1 -F#1");
  EXPECT_EQ(play.effects(), "finish F complete");
  EXPECT_EQ(play.effect<Finish>().outputs, (Json{{"said", " -A +F -F -machine"}, {"in_a", false}}));
  EXPECT_TRUE(play.instance().finished());
  EXPECT_EQ(play.active(), "");
}

TEST(Final, SaysItsOutcomeAndStatus) {
  Play play("initial: F\nstates: {F: {final: true, outcome: no_luck, status: failed}}");
  EXPECT_EQ(play.effects(), "finish no_luck failed");
}

TEST(Final, NothingMovesAFinishedMachine) {
  Play play("initial: F\non: {go: A}\nstates: {A: {}, F: {final: true}}");
  EXPECT_FALSE(play.send("go"));
  play.abort("too late");
  EXPECT_EQ(play.effects(), "");
}

TEST(Final, EventsStillInTheInternalQueueAreLost) {
  Play play(R"yaml(
    initial: A
    on: {late: {do: mark(late)}}
    states:
      A: {on: {go: {target: F, do: raise('late')}}}
      F: {final: true}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "");
}

TEST(Final, PendingSendsAreDropped) {
  Play play(R"yaml(
    initial: A
    states:
      A: {entry: "send('x', nil, {after = '5s', id = 'later'}); send('y')", on: {go: F}}
      F: {final: true}
  )yaml");
  EXPECT_TRUE(play.instance().pending());
  play.send("go");
  EXPECT_EQ(play.effects(), "cancel send:later, finish F complete");
  EXPECT_FALSE(play.instance().pending());
  EXPECT_EQ(play.outstanding(), "");
}

TEST(Final, AnErrorInOutputsIsReportedAndLeavesNull) {
  Play play(R"yaml(
    initial: F
    states: {F: {final: true}}
    outputs: {good: 1 + 1, bad: nothing.at_all}
  )yaml");
  EXPECT_EQ(play.effects(), "finish F complete");
  EXPECT_EQ(play.effect<Finish>().outputs, (Json{{"good", 2}, {"bad", nullptr}}));
  EXPECT_THAT(play.problems(), testing::StartsWith("error.lua at /: main.yaml:6: "));
}

}  // namespace
}  // namespace agneto::chart
