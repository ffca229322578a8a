// Going back to where one was.
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

// W holds a compound B with two states; `back` returns through a shallow or a deep history.
std::string worker(const std::string& kind) {
  const std::string text = R"yaml(
    initial: W
    states:
      W:
        initial: A
        entry: mark(W)
        on: {out: OUT}
        states:
          A: {on: {next: B}}
          B: {initial: {target: B1, do: mark(B-initial)}, states: {B1: {on: {next: B2}}, B2: {}}}
          H: {history: KIND, default: {target: A, do: mark(default)}}
      OUT: {on: {back: H}}
  )yaml";
  return std::string(text).replace(text.find("KIND"), 4, kind);
}

TEST(History, ShallowRemembersTheChildAlone) {
  Play play(worker("shallow"));
  for (const char* event : {"next", "next", "out"}) play.send(event);
  play.log();
  play.send("back");
  EXPECT_EQ(play.moved(), "-OUT#1 +W#2 +B#2 +B1#2");
  EXPECT_EQ(play.log(), "W B-initial");
}

TEST(History, DeepRemembersTheLeaves) {
  Play play(worker("deep"));
  for (const char* event : {"next", "next", "out"}) play.send(event);
  play.log();
  play.send("back");
  EXPECT_EQ(play.moved(), "-OUT#1 +W#2 +B#2 +B2#2");
  EXPECT_EQ(play.log(), "W");
}

TEST(History, AHistoryStateIsNeverActive) {
  Play play(worker("deep"));
  play.send("out");
  play.send("back");
  EXPECT_EQ(play.active(), "A#2");
  EXPECT_EQ(play.moved(), "-OUT#1 +W#2 +A#2");
}

TEST(History, DefaultActionsRunAfterTheParentsEntryAndInitialActions) {
  Play play(R"yaml(
    initial: START
    states:
      START: {on: {go: W}}
      W:
        initial: {target: H, do: mark(initial)}
        entry: mark(entry)
        states:
          A: {entry: mark(A)}
          H: {history: shallow, default: {target: A, do: mark(default)}}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.log(), "entry initial default A");
}

TEST(History, AShallowDefaultMayLeadFurtherDown) {
  Play play(R"yaml(
    initial: A
    states:
      A: {on: {go: H}}
      W:
        initial: W1
        on: {out: A}
        states:
          W1: {initial: X, states: {X: {}, Y: {}}}
          H: {history: shallow, default: Y}
  )yaml");
  play.send("go");
  EXPECT_EQ(play.active(), "Y#1");
  play.send("out");
  play.send("go");
  EXPECT_EQ(play.active(), "X#1");
}

TEST(History, DefaultActionsDoNotRunOnceSomethingIsRemembered) {
  Play play(worker("shallow"));
  play.send("out");
  play.log();
  play.send("back");
  EXPECT_EQ(play.log(), "W");
}

TEST(History, IsRecordedBeforeAnyExitBlockRuns) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {out: OUT}
        states:
          R: {initial: R1, states: {R1: {on: {next: R2}}, R2: {exit: raise('left')}}}
          S: {initial: S1, states: {S1: {on: {next: S2}}, S2: {}}}
          H: {history: deep, default: [R1, S1]}
      OUT: {on: {back: H}}
  )yaml");
  play.send("next");
  play.send("out");
  play.send("back");
  EXPECT_EQ(play.active(), "R2#2 S2#2");
}

TEST(History, OfAParallelShallowRemembersItsRegions) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {out: OUT}
        states:
          R: {initial: R1, states: {R1: {on: {next: R2}}, R2: {}}}
          S: {initial: S1, states: {S1: {}}}
          H: {history: shallow, default: [R, S]}
      OUT: {on: {back: H}}
  )yaml");
  play.send("next");
  play.send("out");
  play.send("back");
  EXPECT_EQ(play.active(), "R1#2 S1#2");
}

TEST(History, AnInitialThatIsOneReturns) {
  Play play(R"yaml(
    initial: OUT
    states:
      OUT: {on: {in: W}}
      W:
        initial: H
        on: {out: OUT}
        states:
          A: {on: {next: B}}
          B: {}
          H: {history: shallow, default: A}
  )yaml");
  for (const char* event : {"in", "next", "out", "in"}) play.send(event);
  EXPECT_EQ(play.active(), "B#2");
}

TEST(History, OfOneRegionBesideAPlainTransitionOfAnother) {
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
              S1: {initial: X, on: {go: H}, states: {X: {on: {next: Y}}, Y: {}, H: {history: deep, default: X}}}
          T: {initial: T1, states: {T1: {on: {go: T2}}, T2: {initial: T3, states: {T3: {}}}}}
  )yaml");
  play.send("next");
  play.send("go");
  EXPECT_EQ(play.moved(), "-T1#1 -Y#1 -S1#1 -R1#1 +R2#1 +S1#2 +Y#2 +T2#1 +T3#1");
}

TEST(History, OneRegionsHistoryAndAnotherRegionsTarget) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {out: OUT}
        states:
          R: {initial: R1, states: {R1: {on: {next: R2}}, R2: {}, H: {history: shallow, default: R1}}}
          S: {initial: S1, states: {S1: {}, S2: {}}}
      OUT: {on: {back: {target: [H, S2]}}}
  )yaml");
  play.send("next");
  play.send("out");
  play.send("back");
  EXPECT_EQ(play.active(), "R2#2 S2#1");
}

// The domain is that of what the history stands for: W itself is not left.
TEST(History, FromInsideTheParentItIsNotLeft) {
  Play play(R"yaml(
    initial: W
    states:
      W:
        initial: A
        on: {out: OUT}
        states:
          A: {on: {next: B, hist: H}}
          B: {on: {hist: H}}
          C: {}
          H: {history: shallow, default: {target: C, do: mark(default)}}
      OUT: {on: {back: H}}
  )yaml");
  play.send("next");
  play.send("hist");
  EXPECT_EQ(play.moved(), "-B#1 +C#1");
  EXPECT_EQ(play.log(), "") << "a default's actions belong to the parent's entry";
}

TEST(History, OfTheStateThatIsLeftIsTheOneJustRecorded) {
  Play play(R"yaml(
    initial: W
    states:
      W:
        initial: A
        on: {again: H}
        states:
          A: {on: {next: B}}
          B: {}
          H: {history: shallow, default: A}
  )yaml");
  play.send("next");
  play.send("again");
  EXPECT_EQ(play.moved(), "-B#1 -W#1 +W#2 +B#2");
}

}  // namespace
}  // namespace agneto::chart
