// What a transition leaves and enters, and in which order.
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

TEST(Entry, ParentsFirstInDocumentOrder) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {initial: R11, states: {R11: {}}}}}
          S: {initial: S1, states: {S1: {}}}
  )yaml");
  EXPECT_EQ(play.moved(), "+P#1 +R#1 +R1#1 +R11#1 +S#1 +S1#1");
}

TEST(Entry, SeveralTargetsAreEnteredInDocumentOrderWhateverTheirOrder) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: {target: [S2, R2]}}}
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {}, R2: {}}}
          S: {initial: S1, states: {S1: {}, S2: {}}}
          T: {initial: T1, states: {T1: {}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.moved(), "-A#1 +P#1 +R#1 +R2#1 +S#1 +S2#1 +T#1 +T1#1");
}

TEST(Entry, ADeepTargetEntersTheRegionsBesideItByDefault) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: S2}}
      P:
        parallel: true
        entry: mark(P)
        states:
          R: {initial: {target: R1, do: mark(R-initial)}, entry: mark(R), states: {R1: {entry: mark(R1)}}}
          S: {initial: {target: S1, do: mark(S-initial)}, entry: mark(S), states: {S1: {}, S2: {entry: mark(S2)}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "R1#1 S2#1");
  EXPECT_EQ(play.log(), "P R R-initial R1 S S2");
}

TEST(Entry, OfAHundredRegions) {
  std::string regions, expected = "-A#1 +P#1";
  for (int i = 0; i < 100; ++i) {
    const std::string r = "R" + std::to_string(i);
    regions += r + ": {initial: " + r + "a, states: {" + r + "a: {on: {on: " + r + "b}}, " + r +
               "b: {}}}, ";
    expected += " +" + r + "#1 +" + r + "a#1";
  }
  Play play("initial: A\nstates: {A: {on: {go: P}}, P: {parallel: true, states: {" + regions +
            "}}}");
  play.send("go");
  EXPECT_EQ(play.moved(), expected);
  play.send("on");
  EXPECT_EQ(play.instance().active().size(), 100u);
  EXPECT_EQ(play.instance().active().back(), "R99b#1");
}

// Thousands of states lie between those that are active.
TEST(Entry, InAChartOfTenThousandStates) {
  std::string many;
  for (int i = 0; i < 10000; ++i) many += ", N" + std::to_string(i) + ": {}";
  Play play(
      "initial: P\nstates: {P: {parallel: true, states: {R: {initial: A, states: {A: {on: {go: "
      "N9999}}" +
      many + "}}, S: {initial: B, states: {B: {on: {go: P}}}}}}}");
  play.send("go");
  EXPECT_EQ(play.active(), "N9999#1 B#1");
  play.send("go");
  EXPECT_EQ(play.moved(), "-B#1 -S#1 -N9999#1 -R#1 -P#1 +P#2 +R#2 +A#2 +S#2 +B#2");
}

TEST(Entry, InitialMayNameSeveralDeepTargets) {
  Play play(R"yaml(
    initial: [R2, S2]
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {}, R2: {}}}
          S: {initial: S1, states: {S1: {}, S2: {}}}
  )yaml");
  EXPECT_EQ(play.active(), "R2#1 S2#1");
}

TEST(Entry, BlocksRunFromTheMachineInwardsInitialActionsAfterEntry) {
  Play play(R"yaml(
    initial: {target: A, do: mark(initial)}
    entry: [mark(m1), mark(m2)]
    states:
      A: {initial: {target: B, do: mark(A-initial)}, entry: mark(A), states: {B: {entry: mark(B)}}}
  )yaml");
  EXPECT_EQ(play.log(), "m1 m2 initial A A-initial B");
}

TEST(Exit, InnermostFirstThenActionsThenEntry) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        exit: mark(-P)
        states:
          R: {initial: R1, exit: mark(-R), states: {R1: {exit: mark(-R1)}}}
          S: {initial: S1, exit: mark(-S), states: {S1: {exit: mark(-S1), on: {go: {target: A, do: [mark(do1), mark(do2)]}}}}}
      A: {entry: mark(+A)}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.moved(), "-S1#1 -S#1 -R1#1 -R#1 -P#1 +A#1");
  EXPECT_EQ(play.log(), "-S1 -S -R1 -R -P do1 do2 +A");
}

TEST(Exit, AStateIsActiveUntilItsOwnExitBlocksAreDone) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        initial: B
        exit: "ctx.log = tostring(state_in('A')) .. tostring(state_in('B'))"
        states: {B: {}}
        on: {go: C}
      C: {entry: "ctx.log = ctx.log .. tostring(state_in('A')) .. tostring(state_in('C'))"}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "truefalsefalsetrue");
}

TEST(Transitions, ActionsRunInSelectionOrder) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {exit: mark(-R1), on: {go: {target: R2, do: mark(r)}}}, R2: {entry: mark(+R2)}}}
          S: {initial: S1, states: {S1: {exit: mark(-S1), on: {go: {target: S2, do: mark(s)}}}, S2: {entry: mark(+S2)}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "-S1 -R1 r s +R2 +S2");
}

TEST(Transitions, WithoutATargetNothingIsLeft) {
  Play play("initial: A\nstates: {A: {exit: mark(-A), on: {go: {do: mark(do)}}}}");
  EXPECT_TRUE(play.send("go"));
  EXPECT_EQ(play.log(), "do");
  EXPECT_EQ(play.moved(), "");
  EXPECT_EQ(play.active(), "A#1");
}

TEST(Transitions, ToItselfLeavesAndEntersAgain) {
  Play play("initial: A\nstates: {A: {exit: mark(-A), entry: mark(+A), on: {go: A}}}");
  play.send("go");
  EXPECT_EQ(play.log(), "+A -A +A");
  EXPECT_EQ(play.active(), "A#2");
}

// The parallel is no domain: the other region is left and entered too.
TEST(Domain, ASelfTransitionOfARegionsRootRestartsTheWholeParallel) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, on: {again: R}, states: {R1: {}}}
          S: {initial: S1, states: {S1: {on: {go: S2}}, S2: {}}}
  )yaml");
  play.send("go");
  play.send("again");
  EXPECT_EQ(play.moved(), "-S2#1 -S#1 -R1#1 -R#1 -P#1 +P#2 +R#2 +R1#2 +S#2 +S1#2");
}

TEST(Domain, ATransitionToAnAncestorLeavesAndEntersIt) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        initial: B
        states:
          B: {on: {next: C}}
          C: {on: {up: A}}
  )yaml");
  play.send("next");
  play.send("up");
  EXPECT_EQ(play.moved(), "-C#1 -A#1 +A#2 +B#2");
}

TEST(Domain, BetweenSiblingsTheParentStays) {
  Play play(R"yaml(
    initial: A
    states:
      A: {initial: B, states: {B: {on: {next: C}}, C: {}}}
  )yaml");
  play.send("next");
  EXPECT_EQ(play.moved(), "-B#1 +C#1");
}

TEST(Domain, AnExternalTransitionToOnesOwnChildLeavesTheParent) {
  Play play(R"yaml(
    initial: A
    states:
      A: {initial: B, on: {go: C}, states: {B: {}, C: {}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.moved(), "-B#1 -A#1 +A#2 +C#1");
}

TEST(Domain, AnInternalTransitionDoesNot) {
  Play play(R"yaml(
    initial: A
    states:
      A: {initial: B, on: {go: {target: C, internal: true}}, states: {B: {}, C: {}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.moved(), "-B#1 +C#1");
}

TEST(Domain, AnInternalTransitionToAGrandchildEntersWhatIsBetween) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        initial: B
        on: {go: {target: D, internal: true}}
        states:
          B: {}
          C: {initial: E, entry: mark(C), states: {E: {}, D: {}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.moved(), "-B#1 +C#1 +D#1");
}

TEST(Domain, AnInternalTransitionOfAParallelIsExternal) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {go: {target: R2, internal: true}}
        states:
          R: {initial: R1, states: {R1: {}, R2: {}}}
          S: {initial: S1, states: {S1: {}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.moved(), "-S1#1 -S#1 -R1#1 -R#1 -P#1 +P#2 +R#2 +R2#1 +S#2 +S1#2");
}

TEST(Domain, AnInternalTransitionThatLeadsOutIsExternal) {
  Play play(R"yaml(
    initial: A
    states:
      A: {initial: B, on: {self: {target: A, internal: true}}, states: {B: {}}}
  )yaml");
  play.send("self");
  EXPECT_EQ(play.moved(), "-B#1 -A#1 +A#2 +B#2");
}

TEST(Domain, TheMachinesOwnTransitionsStayInTheMachine) {
  Play play(R"yaml(
    initial: A
    entry: mark(+machine)
    exit: mark(-machine)
    on: {go: B}
    states: {A: {}, B: {}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.moved(), "-A#1 +B#1");
  EXPECT_EQ(play.log(), "+machine");
}

TEST(Domain, OutOfARegionTheWholeParallelIsLeft) {
  Play play(R"yaml(
    initial: OUTER
    states:
      OUTER:
        initial: P
        states:
          P:
            parallel: true
            states:
              R: {initial: R1, states: {R1: {on: {out: A}}}}
              S: {initial: S1, states: {S1: {}}}
          A: {}
  )yaml");
  play.send("out");
  EXPECT_EQ(play.moved(), "-S1#1 -S#1 -R1#1 -R#1 -P#1 +A#1");
}

// Its targets lie in both regions, so that the parallel itself is left.
TEST(Domain, FromOneRegionIntoTwoTheParallelIsRestarted) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {on: {go: {target: [R2, S2]}}}, R2: {}}}
          S: {initial: S1, states: {S1: {}, S2: {}}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.moved(), "-S1#1 -S#1 -R1#1 -R#1 -P#1 +P#2 +R#2 +R2#1 +S#2 +S2#1");
}

}  // namespace
}  // namespace agneto::chart
