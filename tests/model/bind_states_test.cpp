#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

TEST(StatesReported, ACompoundWithoutInitial) {
  EXPECT_EQ(load_states(R"yaml(  A:
    states:
      B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:5:3: error: a compound state needs the key 'initial' [E122/missing-key]
  A:
  ^
  help: initial: the state inside to begin in
)text");
}

TEST(StatesReported, AnInitialOutside) {
  EXPECT_EQ(load_states(R"yaml(  A:
    initial: C
    states:
      B: {final: true}
  C: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:6:14: error: 'C' is not inside 'A' [E204/bad-targets]
    initial: C
             ^
  help: 'initial' names a state inside
)text");
}

TEST(StatesReported, AnInitialThatIsNotThere) {
  EXPECT_EQ(load_states(R"yaml(  A:
    initial: BB
    states:
      B1: {final: true}
  C: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:6:14: error: there is no state 'BB' [E203/undefined-target]
    initial: BB
             ^~
  help: did you mean 'B1'?
)text");
}

TEST(StatesReported, AStateNamedTwice) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    initial: B
    states:
      B: {final: true}
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:9:3: error: there is a state 'B' already in this file [E201/duplicate-state]
  B: {final: true}
  ^
  help: state names are unique in a file; give one of them another name
flow.yaml:8:7: note: first defined here
      B: {final: true}
      ^
)text");
}

TEST(StatesReported, WhatAParallelStateCannotHave) {
  EXPECT_EQ(load_states(R"yaml(  A:
    parallel: true
    initial: B
    run: {argv: [make]}
    states:
      B: {final: true}
      C: {}
  D: {parallel: true}
)yaml")
                .messages(),
            R"text(flow.yaml:7:5: error: a parallel state has no 'initial' [E126/key-out-of-place]
    initial: B
    ^~~~~~~
  help: all its regions are entered; give each region an `initial`
flow.yaml:8:5: error: a parallel state has no 'run' [E126/key-out-of-place]
    run: {argv: [make]}
    ^~~
  help: only an atomic state has an activity; give it to a state inside
flow.yaml:10:7: error: a region of a parallel state cannot be final [E202/bad-region]
      B: {final: true}
      ^
  help: put the final state into a region
flow.yaml:12:3: error: a parallel state needs the key 'states' [E122/missing-key]
  D: {parallel: true}
  ^
  help: states: its regions
)text");
}

TEST(StatesReported, WhatAFinalStateCannotHave) {
  EXPECT_EQ(load_states(R"yaml(  A:
    final: true
    on: {GO: A}
    after: {1s: A}
    agent: coder
    states: {B: {}}
)yaml")
                .messages(),
            R"text(flow.yaml:7:5: error: a final state has no 'on' [E126/key-out-of-place]
    on: {GO: A}
    ^~
  help: nothing goes on after a final state; use a state that leads to it
flow.yaml:8:5: error: a final state has no 'after' [E126/key-out-of-place]
    after: {1s: A}
    ^~~~~
  help: nothing goes on after a final state; use a state that leads to it
flow.yaml:9:5: error: a final state has no 'agent' [E126/key-out-of-place]
    agent: coder
    ^~~~~
  help: nothing goes on after a final state; use a state that leads to it
flow.yaml:10:5: error: a final state has no 'states' [E126/key-out-of-place]
    states: {B: {}}
    ^~~~~~
  help: nothing goes on after a final state; use a state that leads to it
)text");
}

TEST(StatesReported, KeysOutOfPlace) {
  EXPECT_EQ(load_states(R"yaml(  A:
    outcome: DONE
    status: failed
    default: A
    initial: A
    with: {x: 1}
  B:
    initial: C
    run: {argv: [make]}
    states:
      C: {final: true, status: failed, outcome: X}
)yaml")
                .messages(),
            R"text(flow.yaml:6:5: error: an atomic state has no 'outcome' [E126/key-out-of-place]
    outcome: DONE
    ^~~~~~~
  help: add `final: true` if the machine ends here
flow.yaml:7:5: error: an atomic state has no 'status' [E126/key-out-of-place]
    status: failed
    ^~~~~~
  help: add `final: true` if the machine ends here
flow.yaml:8:5: error: an atomic state has no 'default' [E126/key-out-of-place]
    default: A
    ^~~~~~~
  help: a `default` belongs to a history state; a compound has `initial`
flow.yaml:9:5: error: an atomic state has no 'initial' [E126/key-out-of-place]
    initial: A
    ^~~~~~~
  help: add `states`, or remove `initial`
flow.yaml:10:11: error: 'with' without 'machine' [E126/key-out-of-place]
    with: {x: 1}
          ^~~~~~
  help: name the machine to delegate to: machine: FILE
flow.yaml:13:5: error: a compound state has no 'run' [E126/key-out-of-place]
    run: {argv: [make]}
    ^~~
  help: only an atomic state has an activity; give it to a state inside
flow.yaml:15:32: error: 'status' on a final state that does not end the machine [E126/key-out-of-place]
      C: {final: true, status: failed, outcome: X}
                               ^~~~~~
  help: it ends 'B' alone, which raises done.state.B
flow.yaml:15:49: error: 'outcome' on a final state that does not end the machine [E126/key-out-of-place]
      C: {final: true, status: failed, outcome: X}
                                                ^
  help: it ends 'B' alone, which raises done.state.B
)text");
}

TEST(StatesReported, HistoryStates) {
  EXPECT_EQ(load_states(R"yaml(  A:
    initial: B
    states:
      H: {history: shallow}
      H2: {history: deep, default: Z, entry: x = 1}
      H3: {history: shallow, default: D}
      H4: {history: deep, default: H}
      H5: {history: deep, default: D}
      B:
        initial: D
        states:
          D: {}
  Z: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:8:7: error: a history state needs the key 'default' [E122/missing-key]
      H: {history: shallow}
      ^
  help: default: where it leads the first time
flow.yaml:9:36: error: 'Z' is not inside 'A' [E204/bad-targets]
      H2: {history: deep, default: Z, entry: x = 1}
                                   ^
  help: 'default' names a state inside
flow.yaml:9:39: error: a history state has no 'entry' [E126/key-out-of-place]
      H2: {history: deep, default: Z, entry: x = 1}
                                      ^~~~~
  help: a history state only leads elsewhere; put this on the state around it
flow.yaml:11:36: error: 'H' is a history state itself [E204/bad-targets]
      H4: {history: deep, default: H}
                                   ^
  help: the default of a history names a state to enter
)text");
}

TEST(StatesReported, TwoActivities) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    run: {argv: [make]}
    workspace: {discard: {to: last_commit}}
    on: {ok: B, failed: B}
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:7:5: error: 'A' has 'run' already; a state has one activity [E401/two-activities]
    workspace: {discard: {to: last_commit}}
    ^~~~~~~~~
  help: make two states of it
)text");
}

TEST(StatesReported, AnOutcomeOfTheEngine) {
  EXPECT_EQ(
      load_states(R"yaml(  A: {final: true, outcome: error.x}
)yaml")
          .messages(),
      R"text(flow.yaml:5:29: error: 'error.x' is an event of the engine, and cannot name an outcome [E407/reserved-name]
  A: {final: true, outcome: error.x}
                            ^~~~~~~
  help: choose another name
)text");
}

}  // namespace
}  // namespace agneto::model
