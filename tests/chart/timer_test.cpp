// Timers, and events sent for later.
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

TEST(Timers, StartWithTheirStateAndFireTheirOwnTransitionOnly) {
  Play play(R"yaml(
    initial: A
    states:
      A: {after: {5s: B, 1h30m: C}}
      B: {}
      C: {}
  )yaml");
  EXPECT_EQ(play.effects(), "timer A#1/after:1 5000ms, timer A#1/after:2 5400000ms");
  EXPECT_TRUE(play.timer("A#1/after:2"));
  EXPECT_EQ(play.active(), "C#1");
  EXPECT_EQ(play.effects(), "cancel A#1/after:1");
}

TEST(Timers, AreCancelledWhenTheStateIsLeft) {
  Play play("initial: A\nstates: {A: {after: {5s: B}, on: {go: B}}, B: {}}");
  play.send("go");
  EXPECT_EQ(play.effects(), "cancel A#1/after:1");
  EXPECT_FALSE(play.timer("A#1/after:1"));
  EXPECT_EQ(play.active(), "B#1");
}

TEST(Timers, OfAnEarlierEntryAreIgnored) {
  Play play("initial: A\nstates: {A: {after: {5s: B}, on: {go: A}}, B: {}}");
  play.send("go");
  EXPECT_EQ(play.effects(), "cancel A#1/after:1, timer A#2/after:1 5000ms");
  EXPECT_FALSE(play.timer("A#1/after:1"));
  EXPECT_TRUE(play.timer("A#2/after:1"));
}

TEST(Timers, FireOnce) {
  Play play("initial: A\nstates: {A: {after: {5s: {do: mark(fired)}}}}");
  EXPECT_EQ(play.outstanding(), "A#1/after:1");
  EXPECT_TRUE(play.timer("A#1/after:1"));
  EXPECT_EQ(play.outstanding(), "");
  EXPECT_FALSE(play.timer("A#1/after:1"));
  EXPECT_EQ(play.log(), "fired");
}

TEST(Timers, AlternativesShareOneTimerAndAreTriedInOrder) {
  Play play(R"yaml(
    initial: A
    states:
      A: {after: {5s: [{guard: 'false', target: B}, {guard: 'true', target: C}, D], 9s: D}}
      B: {}
      C: {}
      D: {}
  )yaml");
  EXPECT_EQ(play.effects(), "timer A#1/after:1 5000ms, timer A#1/after:4 9000ms");
  play.timer("A#1/after:1");
  EXPECT_EQ(play.active(), "C#1");
}

TEST(Timers, AFalseGuardUsesTheTimerUp) {
  Play play("initial: A\nstates: {A: {after: {5s: {guard: 'false', target: B}}}, B: {}}");
  EXPECT_FALSE(play.timer("A#1/after:1"));
  EXPECT_EQ(play.outstanding(), "");
  EXPECT_EQ(play.active(), "A#1");
}

TEST(Timers, OfACompoundGoOnWhileItsChildrenChange) {
  Play play(R"yaml(
    initial: A
    states:
      A: {initial: B, after: {5s: D}, states: {B: {on: {next: C}}, C: {}}}
      D: {}
  )yaml");
  play.send("next");
  EXPECT_EQ(play.effects(), "");
  EXPECT_TRUE(play.timer("A#1/after:1"));
  EXPECT_EQ(play.moved(), "-C#1 -A#1 +D#1");
}

TEST(Timers, OfTheMachineHaveAPathOfTheirOwn) {
  Play play("initial: A\nafter: {1h: B}\nstates: {A: {}, B: {}}");
  EXPECT_EQ(play.effects(), "timer ./after:1 3600000ms");
  EXPECT_TRUE(play.timer("./after:1"));
  EXPECT_EQ(play.active(), "B#1");
  EXPECT_EQ(play.effects(), "");
}

TEST(Timers, DelaysMayBeExpressions) {
  Play play(R"yaml(
    initial: A
    context: {wait: 1500, text: 2m}
    states:
      A: {after: [{delay: ctx.wait, target: B}, {delay: ctx.text, target: B}]}
      B: {}
  )yaml");
  EXPECT_EQ(play.effects(), "timer A#1/after:1 1500ms, timer A#1/after:2 120000ms");
}

TEST(Timers, ADelayThatIsNoneRaisesErrorLua) {
  Play play(R"yaml(
    initial: A
    states:
      A: {after: [{delay: ctx.log, target: B}], on: {error.lua: C}}
      B: {}
      C: {entry: "ctx.log = event.message"}
  )yaml");
  EXPECT_EQ(play.active(), "C#1");
  EXPECT_EQ(play.log(),
            "main.yaml:6: a delay is a duration such as \"5s\" or a number of milliseconds, found "
            "\"\"");
}

TEST(Timers, OfAQuestionStandStillUnlessTheyFollowTheWallClock) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        ask: {question: Well, options: {YES: 'Yes'}}
        on: {YES: B}
        after: {1h: B, 2h: {target: B, wall: true}}
      B: {}
  )yaml");
  EXPECT_EQ(play.effects(),
            "timer A#1/after:1 3600000ms pausable, timer A#1/after:2 7200000ms, ask A#1");
}

TEST(Sends, WithoutDelayAreTakenByALaterStep) {
  Play play(R"yaml(
    initial: A
    states:
      A: {entry: "send('one', {n = 1}); send('two')", on: {one: {do: ctx.log = tostring(event.n)}}}
  )yaml");
  EXPECT_EQ(play.effects(), "");
  EXPECT_EQ(play.log(), "");
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.log(), "1");
  EXPECT_FALSE(play.queued()) << "nothing takes `two`";
  EXPECT_EQ(play.out().event, "two");
  EXPECT_FALSE(play.instance().pending());
  EXPECT_FALSE(play.queued());
}

TEST(Sends, WithADelayAreTimersThatCarryTheEvent) {
  Play play(R"yaml(
    initial: A
    states:
      A: {entry: "send('tick', {n = 1}, {after = '5s', id = 't'})", on: {tick: {target: B, do: ctx.log = tostring(event.n)}}}
      B: {}
  )yaml");
  EXPECT_EQ(play.effects(), "timer send:t 5000ms");
  EXPECT_EQ(play.outstanding(), "send:t");
  EXPECT_TRUE(play.timer("send:t"));
  EXPECT_EQ(play.out().event, "tick");
  EXPECT_EQ(play.active(), "B#1");
  EXPECT_EQ(play.log(), "1");
  EXPECT_EQ(play.outstanding(), "");
  EXPECT_FALSE(play.timer("send:t"));
}

TEST(Sends, OutliveTheirState) {
  Play play(R"yaml(
    initial: A
    states:
      A: {entry: "send('tick', nil, {after = '5s', id = 't'})", on: {go: B}}
      B: {on: {tick: C}}
      C: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.effects(), "");
  play.timer("send:t");
  EXPECT_EQ(play.active(), "C#1");
}

TEST(Sends, CanBeTakenBack) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        entry: "send('tick', nil, {after = '5s', id = 't'}); send('now', nil, {id = 'n'})"
        on: {go: {do: "cancel('t'); cancel('n'); cancel('unknown')"}, tick: B, now: B}
      B: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.effects(), "cancel send:t");
  EXPECT_FALSE(play.timer("send:t"));
  EXPECT_FALSE(play.instance().pending());
  EXPECT_EQ(play.active(), "A#1");
}

TEST(Sends, WithTheSameIdReplaceEachOther) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: {do: "send(event.say, nil, {after = '5s', id = 't'})"}, one: B, two: C}}
      B: {}
      C: {}
  )yaml");
  play.send("go", {{"say", "one"}});
  play.send("go", {{"say", "two"}});
  EXPECT_EQ(play.effects(), "cancel send:t, timer send:t 5000ms");
  play.timer("send:t");
  EXPECT_EQ(play.active(), "C#1");
}

TEST(Sends, WithoutAnIdGetOneEach) {
  Play play(R"yaml(
    initial: A
    states:
      A: {entry: "send('x', nil, {after = '1s'}); send('y', nil, {after = '2s'})", on: {y: B}}
      B: {}
  )yaml");
  EXPECT_EQ(play.effects(), "timer send:#1 1000ms, timer send:#2 2000ms");
  play.timer("send:#2");
  EXPECT_EQ(play.active(), "B#1");
}

TEST(Sends, AnIdMayLookLikeAPath) {
  Play play(R"yaml(
    initial: A
    states:
      A: {entry: "send('x', nil, {after = '1s', id = 'A#1/after:1/send:2'})", on: {x: B}}
      B: {}
  )yaml");
  EXPECT_TRUE(play.timer("send:A#1/after:1/send:2"));
  EXPECT_EQ(play.active(), "B#1");
}

TEST(Timers, APathThatNamesNothingIsIgnored) {
  Play play("initial: A\nstates: {A: {after: {5s: B}}, B: {}}");
  for (const char* path : {"",
                           "A",
                           "A#",
                           "A#x",
                           "A#1",
                           "A#2/after:1",
                           "A#1/after:",
                           "A#1/after:0",
                           "A#1/after:2",
                           "A#1/after:1/",
                           "B#1/after:1",
                           "B#0/after:1",
                           "X#1",
                           "A#1/B#1/after:1",
                           "./after:1",
                           "after:1",
                           "send:",
                           "send:x",
                           "/",
                           "#"}) {
    EXPECT_FALSE(play.timer(path)) << path;
    EXPECT_FALSE(play.outcome(path, "ok")) << path;
  }
  EXPECT_EQ(play.outstanding(), "A#1/after:1");
}

}  // namespace
}  // namespace agneto::chart
