// Which transition an event takes.
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

TEST(Selection, TheFirstEnabledTransitionInDocumentOrderWins) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        on:
          - {event: go, guard: 'false', target: B}
          - {event: [other, go], target: C}
          - {event: go, target: D}
      B: {}
      C: {}
      D: {}
  )yaml");
  EXPECT_TRUE(play.send("go"));
  EXPECT_EQ(play.active(), "C#1");
}

TEST(Selection, AStateComesBeforeItsAncestors) {
  Play play(R"yaml(
    initial: OUTER
    on: {go: MACHINE_TOOK, up: MACHINE_TOOK}
    states:
      OUTER:
        initial: A
        on: {go: OUTER_TOOK}
        states:
          A: {on: {go: A_TOOK}}
          A_TOOK: {}
      OUTER_TOOK: {}
      MACHINE_TOOK: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "A_TOOK#1");
  play.send("go");
  EXPECT_EQ(play.active(), "OUTER_TOOK#1");
  play.send("up");
  EXPECT_EQ(play.active(), "MACHINE_TOOK#1");
}

TEST(Selection, AFalseGuardLetsTheAncestorTry) {
  Play play(R"yaml(
    initial: OUTER
    states:
      OUTER:
        initial: A
        on: {go: B}
        states:
          A: {on: {go: {guard: event.data == 1, target: C}}}
          C: {}
      B: {}
  )yaml");
  play.send("go", 2);
  EXPECT_EQ(play.active(), "B#1");
}

TEST(Selection, APrefixMatchesAtTokenBoundariesOnly) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        on:
          error: {do: mark(error)}
          error2: {do: mark(error2)}
          a.b: {do: mark(a.b)}
  )yaml");
  EXPECT_TRUE(play.send("error"));
  EXPECT_TRUE(play.send("error.exit"));
  EXPECT_TRUE(play.send("error2"));
  EXPECT_FALSE(play.send("error3"));
  EXPECT_FALSE(play.send("errors.exit"));
  EXPECT_FALSE(play.send("a"));
  EXPECT_TRUE(play.send("a.b.c"));
  EXPECT_FALSE(play.send("a.bc"));
  EXPECT_EQ(play.log(), "error error error2 a.b");
}

// The other region is done, not the activity.
TEST(Selection, DoneOfAStateWithAnActivityIsItsOutcome) {
  const auto chart = [](const std::string& also) {
    return "initial: P\nstates:\n  P:\n    parallel: true\n    states:\n"
           "      WORK: {initial: A, states: {A: {run: {argv: [x]}, on: {done: B" +
           also +
           "}}, B: {}, C: {}}}\n"
           "      REST: {initial: R, states: {R: {on: {go: NEVER}}, NEVER: "
           "{final: true}}}\n"
           "    on: {done: OVER}\n  OVER: {}";
  };
  Play play(chart(""));
  play.send("go");
  EXPECT_EQ(play.active(), "OVER#1");  // a state without an activity takes it by its prefix

  Play again(chart(""));
  EXPECT_TRUE(again.outcome("A#1", "done"));
  EXPECT_EQ(again.active(), "B#1 R#1");

  Play both(chart(", done.state.REST: C"));
  both.send("go");
  EXPECT_EQ(both.active(), "C#1 NEVER#1");
}

TEST(Selection, AnyTakesEveryEvent) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {known: {do: mark(known)}, any: {do: mark(any)}}}
  )yaml");
  play.send("known");
  play.send("some.thing");
  EXPECT_EQ(play.log(), "known any");
}

TEST(Selection, AnEventThatNothingTakesChangesNothing) {
  Play play("initial: A\nstates: {A: {on: {go: B}}, B: {}}");
  EXPECT_FALSE(play.send("come"));
  EXPECT_FALSE(play.out().handled);
  EXPECT_EQ(play.active(), "A#1");
  EXPECT_EQ(play.moved(), "");
  EXPECT_TRUE(play.out().transitions.empty());
}

TEST(Selection, EveryRegionIsOfferedABroadcastEvent) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {on: {go: {target: R2, do: mark(r)}}}, R2: {}}}
          S: {initial: S1, states: {S1: {on: {go: {target: S2, do: mark(s)}}}, S2: {}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "R2#1 S2#1");
  EXPECT_EQ(play.log(), "r s");
  EXPECT_EQ(play.moved(), "-S1#1 -R1#1 +R2#1 +S2#1");
}

// One transition, though it was met on the way up from each region.
TEST(Selection, ATransitionOfASharedAncestorIsTakenOnce) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {go: {do: mark(p)}}
        states:
          R: {initial: R1, states: {R1: {}}}
          S: {initial: S1, states: {S1: {}}}
          T: {initial: T1, states: {T1: {on: {go: {do: mark(t)}}}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "p t");
}

TEST(Preemption, ADescendantSourcePreemptsItsAncestor) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {go: OUT}
        states:
          R: {initial: R1, states: {R1: {}}}
          S: {initial: S1, states: {S1: {on: {go: {target: S2, do: mark(inner)}}}, S2: {}}}
      OUT: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "R1#1 S2#1");
  EXPECT_EQ(play.log(), "inner");
}

TEST(Preemption, OtherwiseTheEarlierRegionPreemptsTheLater) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {on: {go: A}}}}
          S: {initial: S1, states: {S1: {on: {go: B}}}}
      A: {}
      B: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "A#1");
}

TEST(Preemption, ALaterRegionThatLeavesDoesNotUndoAnEarlierTransitionInside) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {on: {go: R2}}, R2: {}}}
          S: {initial: S1, states: {S1: {on: {go: OUT}}}}
      OUT: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "R2#1 S1#1");
}

// The leaving region comes first: it exits the other too, whose own transition is lost.
TEST(Preemption, AnEarlierRegionThatLeavesPreemptsALaterTransitionInside) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {on: {go: OUT}}}}
          S: {initial: S1, states: {S1: {on: {go: {target: S2, do: mark(s)}}}, S2: {}}}
      OUT: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "OUT#1");
  EXPECT_EQ(play.log(), "");
}

TEST(Preemption, TransitionsWithoutTargetNeverConflict) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {on: {go: {do: mark(r)}}}}}
          S: {initial: S1, states: {S1: {on: {go: {target: OUT, do: mark(s)}}}}}
      OUT: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "OUT#1");
  EXPECT_EQ(play.log(), "r s");
}

TEST(Guards, SeeDataEventAndActiveStates) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {on: {go: R2}}, R2: {}}}
          S:
            initial: S1
            states:
              S1: {on: {ask: {guard: state_in('R2') and event.name == 'ask' and event.n == 3, target: S2}}}
              S2: {}
  )yaml");
  EXPECT_FALSE(play.send("ask", {{"n", 3}}));
  play.send("go");
  EXPECT_FALSE(play.send("ask", {{"n", 2}}));
  EXPECT_TRUE(play.send("ask", {{"n", 3}}));
  EXPECT_EQ(play.active(), "R2#1 S2#1");
}

TEST(Guards, AnErrorIsFalseAndRaisesErrorLua) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        on:
          go:
            - {guard: nothing.at_all, target: B}
            - {target: C}
      B: {}
      C: {on: {error.lua: {target: D, do: ctx.log = event.state}}}
      D: {}
  )yaml");
  EXPECT_TRUE(play.send("go"));
  EXPECT_EQ(play.active(), "D#1");
  EXPECT_EQ(play.log(), "A");
  EXPECT_EQ(play.problems(), "");
  ASSERT_EQ(play.out().caught.size(), 1u);
  EXPECT_EQ(play.out().caught[0].path, "A#1");
  EXPECT_EQ(play.out().caught[0].message, "main.yaml:9: unknown name 'nothing'");
}

TEST(Guards, AnErrorThatNobodyTakesIsReportedAndSuspends) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: {guard: nothing.at_all, target: B}}}
      B: {}
  )yaml");
  EXPECT_FALSE(play.send("go"));
  EXPECT_EQ(play.active(), "A#1");
  EXPECT_THAT(play.problems(), testing::StartsWith("error.lua at A#1: main.yaml:6: "));
  EXPECT_EQ(play.effects(), "suspend A#1");
}

// It is tried again after every internal event, and fails again where nothing has changed.
TEST(Guards, AnErrorOfAnEventlessGuardIsRaisedOnce) {
  Play play(R"yaml(
    initial: A
    states:
      A: {always: {guard: nothing.at_all, target: B}}
      B: {}
  )yaml");
  EXPECT_EQ(play.active(), "A#1");
  EXPECT_EQ(play.effects(), "suspend A#1");
}

TEST(Guards, AnErrorInTheGuardThatWouldTakeItEnds) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {error.lua: {guard: nothing.at_all, target: B}, go: {do: error('first')}}}
      B: {}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "A#1");
  EXPECT_EQ(play.out().problems.size(), 2u);
}

}  // namespace
}  // namespace agneto::chart
