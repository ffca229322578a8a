#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

TEST(TransitionsReported, TargetsThatAreNotThere) {
  EXPECT_EQ(load_states(R"yaml(  A:
    on:
      GO: PLAN_REVEIW
      NO: {target: [PLAN_REVIEW, Q]}
    after: {1s: Q}
    always: [{guard: x, target: Q}]
  PLAN_REVIEW: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:7:11: error: there is no state 'PLAN_REVEIW' [E203/undefined-target]
      GO: PLAN_REVEIW
          ^~~~~~~~~~~
  help: did you mean 'PLAN_REVIEW'?
flow.yaml:8:34: error: there is no state 'Q' [E203/undefined-target]
      NO: {target: [PLAN_REVIEW, Q]}
                                 ^
  help: known states: A, PLAN_REVIEW
flow.yaml:9:17: error: there is no state 'Q' [E203/undefined-target]
    after: {1s: Q}
                ^
  help: known states: A, PLAN_REVIEW
flow.yaml:10:33: error: there is no state 'Q' [E203/undefined-target]
    always: [{guard: x, target: Q}]
                                ^
  help: known states: A, PLAN_REVIEW
)text");
}

TEST(TransitionsReported, TargetsThatCannotBeActiveAtOnce) {
  EXPECT_EQ(load_states(R"yaml(  A:
    on:
      A1: {target: [B, C]}
      A2: {target: [P, R1]}
      A3: {target: [R1, R2]}
      A4: {target: [R1, R1]}
      A5: {target: [X1, Y1]}
      A6: {target: [X1, X2]}
      A7: {target: [X1, Y1, X2]}
  B: {final: true}
  C: {final: true}
  P:
    parallel: true
    states:
      R1:
        initial: X1
        states: {X1: {}, X2: {}}
      R2:
        initial: Y1
        states: {Y1: {}}
)yaml")
                .messages(),
            R"text(flow.yaml:7:20: error: 'B' and 'C' cannot be active at once [E204/bad-targets]
      A1: {target: [B, C]}
                   ^~~~~~
  help: several targets must be in different regions of a parallel state
flow.yaml:8:20: error: 'R1' is inside 'P', so that both cannot be targets [E204/bad-targets]
      A2: {target: [P, R1]}
                   ^~~~~~~
  help: write 'R1' alone: entering it enters 'P'
flow.yaml:10:25: error: 'R1' is a target twice [E204/bad-targets]
      A4: {target: [R1, R1]}
                        ^~
flow.yaml:12:20: error: 'X1' and 'X2' cannot be active at once [E204/bad-targets]
      A6: {target: [X1, X2]}
                   ^~~~~~~~
  help: several targets must be in different regions of a parallel state
flow.yaml:13:20: error: 'X1' and 'X2' cannot be active at once [E204/bad-targets]
      A7: {target: [X1, Y1, X2]}
                   ^~~~~~~~~~~~
  help: several targets must be in different regions of a parallel state
)text");
}

TEST(TransitionsReported, AlternativesThatAreNeverTried) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    on:
      GO: [A, B]
      GO2:
        - {target: A, do: x = 1}
        - {target: B, guard: ctx.y}
        - A
    always:
      - {target: B}
      - {guard: ctx.x, target: B}
    after:
      1s: [{do: x = 1}, B]
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:7:12: error: this alternative has no guard, so that those after it are never tried [E206/never-tried]
      GO: [A, B]
           ^
  help: to enter several states at once write {target: [A, B]}; an alternative that is not the last needs a guard
flow.yaml:9:11: error: this alternative has no guard, so that those after it are never tried [E206/never-tried]
        - {target: A, do: x = 1}
          ^~~~~~~~~~~~~~~~~~~~~~
  help: give it a guard, or move it to the end
flow.yaml:13:9: error: this alternative has no guard, so that those after it are never tried [E206/never-tried]
      - {target: B}
        ^~~~~~~~~~~
  help: give it a guard, or move it to the end
flow.yaml:16:12: error: this alternative has no guard, so that those after it are never tried [E206/never-tried]
      1s: [{do: x = 1}, B]
           ^~~~~~~~~~~
  help: give it a guard, or move it to the end
)text");
}

TEST(TransitionsReported, InternalWhereItHasNoEffect) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    initial: A1
    on:
      I1: {target: A1, internal: true}
      I2: {target: B, internal: true}
      I3: {do: x = 1, internal: true}
    states:
      A1:
        on: {I4: {target: A2, internal: true}}
      A2: {}
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:9:33: warning: `internal` has no effect: the transition leads to a state outside of 'A' [W207/bad-internal]
      I2: {target: B, internal: true}
                                ^~~~
  help: remove `internal`, or choose a target inside
flow.yaml:10:33: warning: `internal` has no effect: a transition without a target leaves nothing [W207/bad-internal]
      I3: {do: x = 1, internal: true}
                                ^~~~
  help: remove `internal`
flow.yaml:13:41: warning: `internal` has no effect: 'A1' is not a compound state [W207/bad-internal]
        on: {I4: {target: A2, internal: true}}
                                        ^~~~
  help: remove `internal`
)text");
}

TEST(TransitionsReported, AnEventlessTransitionToNowhere) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    always: {do: ctx.n = ctx.n + 1}
)yaml")
          .messages(),
      R"text(flow.yaml:6:13: error: this transition needs no event, has no guard and leads nowhere: it is taken for ever [E205/endless]
    always: {do: ctx.n = ctx.n + 1}
            ^~~~~~~~~~~~~~~~~~~~~~~
  help: give it a target or a guard, or move what it does to `entry`
)text");
}

// What it does can make another one possible.
TEST(Transitions, AnEventlessOneToNowhereIsFineWhereAnotherCanLead) {
  EXPECT_EQ(load_states(R"yaml(  A:
    always: [{guard: ctx.n > 3, target: B}, {do: ctx.n = ctx.n + 1}]
  B:
    initial: B1
    always: {do: ctx.n = ctx.n + 1}
    states:
      B1: {always: {guard: ctx.n > 9, target: P}}
  P:
    parallel: true
    states:
      R: {always: {do: ctx.n = ctx.n + 1}}
      S: {always: {guard: ctx.n > 99, target: A}}
)yaml")
                .messages(),
            "");
}

TEST(TransitionsReported, ListsOfTransitions) {
  EXPECT_EQ(load_states(R"yaml(  A:
    on:
      - {target: B}
      - {event: [GO, '*'], target: B}
      - {event: GO, target: C}
      - B
    after:
      - {target: B}
      - {delay: 5 min, target: B, wall: perhaps}
  B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:7:9: error: a transition needs the key 'event' [E122/missing-key]
      - {target: B}
        ^~~~~~~~~~~
  help: event: The events that it takes
flow.yaml:8:22: error: '*' is not an event's name [E125/bad-name]
      - {event: [GO, '*'], target: B}
                     ^~~
  help: write 'any' to take every event
flow.yaml:9:29: error: there is no state 'C' [E203/undefined-target]
      - {event: GO, target: C}
                            ^
  help: known states: A, B
flow.yaml:10:9: error: 'on' must be a transition (a map of its keys), found 'B' [E124/wrong-kind]
      - B
        ^
flow.yaml:12:9: error: a transition needs the key 'delay' [E122/missing-key]
      - {target: B}
        ^~~~~~~~~~~
  help: delay: A duration, or Lua that gives one
flow.yaml:13:17: error: 'delay' must be a duration such as 500ms, 10s, 5m, 24h or 1h30m, found '5 min' [E124/wrong-kind]
      - {delay: 5 min, target: B, wall: perhaps}
                ^~~~~
flow.yaml:13:41: error: 'wall' must be true or false, found 'perhaps' [E124/wrong-kind]
      - {delay: 5 min, target: B, wall: perhaps}
                                        ^~~~~~~
)text");
}

}  // namespace
}  // namespace agneto::model
