// One event until the machine is at rest.
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

TEST(Macrostep, EventlessTransitionsAreFollowedToTheEnd) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: B}}
      B: {always: C}
      C: {always: [{guard: ctx.log == 'never', target: A}, {guard: 'true', target: D}, {target: A}]}
      D: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.moved(), "-A#1 +B#1 -B#1 +C#1 -C#1 +D#1");
}

TEST(Macrostep, EventlessComesBeforeInternalEvents) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: {target: B, do: raise('inner')}}}
      B: {always: C, on: {inner: WRONG}}
      C: {on: {inner: D}}
      D: {}
      WRONG: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "D#1");
}

TEST(Macrostep, InternalEventsComeBeforeExternalOnes) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        on:
          go: {do: "send('outer'); raise('inner')"}
          inner: {do: mark(inner)}
          outer: {do: mark(outer)}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "inner");
  EXPECT_TRUE(play.instance().pending());
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.out().event, "outer");
  EXPECT_EQ(play.log(), "outer");
  EXPECT_FALSE(play.instance().pending());
}

TEST(Macrostep, EventlessTransitionsStillSeeTheEvent) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: B}}
      B: {always: {guard: event.name == 'go' and event.n == 3, target: C}}
      C: {}
  )yaml");
  play.send("go", {{"n", 3}});
  EXPECT_EQ(play.active(), "C#1");
}

TEST(Macrostep, InternalEventsAreTakenInOrderWithTheirData) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        on:
          go: {do: "raise('say', {word = 'one'}); raise('say', {word = 'two'})"}
          say: {do: "ctx.log = ctx.log .. ' ' .. event.word"}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "one two");
}

TEST(Macrostep, ARaisedEventIsOfferedToAllRegions) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {on: {go: {do: raise('x')}, x: R2}}, R2: {}}}
          S: {initial: S1, states: {S1: {on: {x: S2}}, S2: {}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "R2#1 S2#1");
}

TEST(Macrostep, ActivitiesStartOnceTheMachineIsAtRest) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: B}}
      B: {run: {argv: [passing]}, after: {1s: A}, always: C}
      C: {run: {argv: [staying]}, after: {2s: A}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.moved(), "-A#1 +B#1 -B#1 +C#1");
  EXPECT_EQ(play.effects(), "timer C#1/after:1 2000ms, run C#1");
}

TEST(Macrostep, ActivitiesOfAllRegionsStartInDocumentOrder) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        after: {1m: Q}
        states:
          R: {initial: R1, states: {R1: {run: {argv: [r]}}}}
          S: {initial: S1, states: {S1: {run: {argv: [s]}}}}
      Q: {}
  )yaml");
  EXPECT_EQ(play.effects(), "timer P#1/after:1 60000ms, run R1#1, run S1#1");
}

TEST(Errors, EndTheirOwnBlockOnly) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: {target: B, do: ["mark(one); error('x'); mark(never)", mark(two)]}}}
      B: {on: {error.lua: {do: mark(caught)}}, entry: mark(B)}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "one two B caught");
  EXPECT_EQ(play.problems(), "");
}

TEST(Errors, ThatATransitionIsTakenForAreTold) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: {target: B, do: error('oh dear')}}}
      B: {on: {error.lua: {target: C, do: error('again')}}}
      C: {on: {error: {}, again: {}}}
  )yaml");
  play.send("go");
  const auto& caught = play.out().caught;
  ASSERT_EQ(caught.size(), 2u);
  EXPECT_EQ(caught[0].path, "A#1");
  EXPECT_EQ(caught[0].event, "error.lua");
  EXPECT_EQ(caught[0].message, "main.yaml:6: oh dear");
  EXPECT_EQ(caught[1].path, "B#1");
  EXPECT_EQ(caught[1].message, "main.yaml:7: again");
  EXPECT_EQ(play.problems(), "");
  play.send("again");
  EXPECT_TRUE(play.out().caught.empty());
}

TEST(Errors, OfADelayThatATransitionIsTakenForAreTold) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: B}}
      B: {after: [{delay: "{}", target: A}], on: {error.lua: {}}}
  )yaml");
  play.send("go");
  ASSERT_EQ(play.out().caught.size(), 1u);
  EXPECT_EQ(play.out().caught[0].path, "B#1");
  EXPECT_EQ(play.out().caught[0].message,
            "main.yaml:7: a delay is a duration such as \"5s\" or a number of milliseconds, found "
            "[]");
}

TEST(Errors, CarryTheirPlaceAndMessage) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        entry: error('oh dear')
        on: {error.lua: {do: "ctx.log = event.state .. ': ' .. event.message"}}
  )yaml");
  EXPECT_THAT(play.log(), testing::MatchesRegex("A: main.yaml:7: .*oh dear.*"));
}

TEST(Errors, ThatNobodyTakesAreReportedAndSuspend) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: {target: B, do: error('oh dear')}}}
      B: {}
  )yaml");
  EXPECT_TRUE(play.send("go"));
  EXPECT_EQ(play.active(), "B#1");
  EXPECT_THAT(play.problems(), testing::MatchesRegex("error.lua at A#1: main.yaml:6: .*oh dear.*"));
  EXPECT_EQ(play.effects(), "suspend A#1");
  EXPECT_THAT(play.effect<Suspend>().reason, testing::MatchesRegex("main.yaml:6: .*oh dear.*"));
}

TEST(Errors, OfABadAssignmentAreErrorLua) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: {do: ctx.lgo = 'x'}, error.lua: {do: mark(caught)}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "caught");
}

TEST(Errors, OnTheWayIntoAFinalAreReportedThoughTheRunEnds) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: {target: F, do: error('late')}}}
      F: {final: true}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.effects(), "finish F complete");
  EXPECT_THAT(play.problems(), testing::StartsWith("error.lua at A#1: main.yaml:6: "));
}

TEST(Livelock, IsRolledBackAndEndsTheRunAsFailed) {
  Play play(R"yaml(
    initial: A
    context: {log: '', n: 0}
    states:
      A:
        exit: mark(-A)
        on: {go: {target: B, do: "ctx.n = 1; send('later', nil, {after = '1s'})"}}
        run: {argv: [a]}
      B: {entry: ctx.n = ctx.n + 1, always: C}
      C: {always: B}
  )yaml");
  EXPECT_TRUE(play.send("go"));
  EXPECT_EQ(play.problems(),
            "error.livelock at /: the machine does not come to rest: more than 1000 microsteps in "
            "one step, the last from C at main.yaml:11");
  EXPECT_EQ(play.effects(), "cancel A#1, finish error.livelock failed");
  EXPECT_EQ(play.moved(), "-A#1");
  EXPECT_TRUE(play.out().transitions.empty());
  EXPECT_EQ(play.ctx(), (Json{{"log", " -A"}, {"n", 0}}));
  EXPECT_EQ(play.effect<Finish>(1).reason, play.out().problems[0].message);
}

// What was outstanding before it is cancelled at the end, and nothing that came in between.
TEST(Livelock, GivesBackTimersSendsQueueAndActivities) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        entry: "send('old', nil, {after = '1h', id = 'old'}); send('soon')"
        run: {argv: [a]}
        after: {2h: A}
        on: {go: {target: B, do: "cancel('old'); send('new', nil, {after = '3h', id = 'new'})"}}
      B: {run: {argv: [b]}, after: {4h: A}, always: C}
      C: {always: A2}
      A2: {always: B}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.effects(),
            "cancel A#1, cancel A#1/after:1, cancel send:old, finish error.livelock failed");
  EXPECT_EQ(play.moved(), "-A#1");
  EXPECT_FALSE(play.instance().pending());
}

TEST(Livelock, OfAThousandStepsIsNone) {
  Play play(R"yaml(
    initial: A
    context: {n: 0}
    states:
      A: {on: {go: B}}
      B: {always: {guard: ctx.n < 999, target: B, do: ctx.n = ctx.n + 1}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "B#1000");
}

TEST(Livelock, AtTheStartEndsTheRun) {
  Play play("initial: A\nstates: {A: {always: B}, B: {always: A}}");
  EXPECT_EQ(play.effects(), "finish error.livelock failed");
}

TEST(Livelock, OfEventsThatRaiseEachOther) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: {do: raise('ping')}, ping: {do: raise('pong')}, pong: {do: raise('ping')}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.effects(), "finish error.livelock failed");
}

TEST(Livelock, OfEventsWithoutEnd) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: {do: "for i = 1, 100001 do raise('x') end"}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.problems(),
            "error.livelock at /: the machine does not come to rest: more than 100000 internal "
            "events in one step");
}

}  // namespace
TEST(Macrostep, WhatAStepSendsHasALimit) {
  Play play(R"yaml(
    initial: A
    context: {n: 0, told: ''}
    states:
      A:
        on:
          many: {do: "local big = ('x'):rep(4000000) while true do send('x', {big}) ctx.n = ctx.n + 1 end"}
          later: {do: "send('y', ('x'):rep(17000000), {after = '1h'})"}
          error.lua: {do: "ctx.told = event.state .. ': ' .. event.message"}
          x: {}
          y: {}
  )yaml");
  const std::string told =
      "is too much: what a step sends may be 16 MB together; keep it in ctx or in a file, and send "
      "which part is meant";
  play.send("many");
  EXPECT_EQ(play.ctx(),
            (Json{{"n", 4}, {"told", "A: main.yaml:8: send: the data of 'x' " + told}}));
  play.drain();
  play.send("later");
  EXPECT_EQ(play.ctx(),
            (Json{{"n", 4}, {"told", "A: main.yaml:9: send: the data of 'y' " + told}}));
  EXPECT_EQ(play.outstanding(), "");
  play.send("many");
  EXPECT_EQ(play.ctx()["n"], 8) << "each step has a limit of its own";
}

TEST(Macrostep, WhatAStepRaisesHasALimitToo) {
  Play play(R"yaml(
    initial: A
    context: {n: 0, told: ''}
    states:
      A:
        on:
          many: {do: "local big = ('x'):rep(4000000) while true do raise('x', {big}) ctx.n = ctx.n + 1 end"}
          error.lua: {do: "ctx.told = event.state .. ': ' .. event.message"}
          x: {}
  )yaml");
  play.send("many");
  EXPECT_EQ(play.ctx(),
            (Json{{"n", 4},
                  {"told",
                   "A: main.yaml:8: raise: the data of 'x' is too much: what a step raises may be "
                   "16 MB together; keep it in ctx or in a file, and raise which part is meant"}}));
}

TEST(Macrostep, AMachineCanSendItselfAThousandEventsThatWait) {
  Play play(R"yaml(
    initial: A
    context: {n: 0, log: ""}
    states:
      A:
        on:
          now: {do: "for i = 1, 2000 do ctx.n = i; send('x') end"}
          later: {do: "for i = 1, 2000 do ctx.n = i; send('x', nil, {after = '1s'}) end"}
          error.lua: {do: mark(refused)}
  )yaml");
  play.send("now");
  EXPECT_EQ(play.instance().data("")["ctx"], Json({{"n", 1001}, {"log", " refused"}}));
  play.send("later");
  EXPECT_EQ(play.instance().data("")["ctx"], Json({{"n", 1001}, {"log", " refused refused"}}));
  EXPECT_EQ(play.instance().outstanding().size(), 1000U);
}

}  // namespace agneto::chart
