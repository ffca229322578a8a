// Test files that are wrong: where, what, and what to do about it.
#include <gtest/gtest.h>

#include "playing.h"

namespace agneto::play {
namespace {

TEST(Load, SaysEverythingThatIsWrong) {
  EXPECT_EQ(played(case_of(R"yaml(    steps:
      - {at: WORKING, outcom: DONE}
      - {at: WORKING, outcome: DONE, reply: x}
      - {outcome: DONE}
      - {advance: soon}
      - hello
      - {use: rest}
      - {at: WORKING, outcome: MORE, feedback: x}
    expect: {ins: WORKING, status: done, handled: maybe, effects: [x]}
)yaml")),
            R"(flow.test.yaml:6:9: error: this step does nothing
      - {at: WORKING, outcom: DONE}
        ^~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: did you mean 'outcome' by 'outcom'?
flow.test.yaml:7:38: error: a step does one thing; this one has 'outcome' and 'reply'
      - {at: WORKING, outcome: DONE, reply: x}
                                     ^~~~~
flow.test.yaml:8:9: error: 'outcome' needs an 'at'
      - {outcome: DONE}
        ^~~~~~~~~~~~~~~
  help: name the state whose activity it is of: {at: STATE, outcome: …}
flow.test.yaml:9:19: error: 'advance' must be a duration such as 90s, 20m or 4h, not 'soon'
      - {advance: soon}
                  ^~~~
flow.test.yaml:10:9: error: 'a step' must be a map, not 'hello'
      - hello
        ^~~~~
  help: write {at: STATE, outcome: NAME}, {event: NAME} or {use: STEPS}
flow.test.yaml:11:15: error: there are no steps called 'rest'
      - {use: rest}
              ^~~~
  help: name some under the file's own 'steps'
flow.test.yaml:12:38: error: unknown key 'feedback' in a step with 'outcome'
      - {at: WORKING, outcome: MORE, feedback: x}
                                     ^~~~~~~~
  help: known keys: expect, at, outcome, data
flow.test.yaml:13:14: error: unknown key 'ins' in expect
    expect: {ins: WORKING, status: done, handled: maybe, effects: [x]}
             ^~~
  help: did you mean 'in'?
flow.test.yaml:13:36: error: 'status' must be complete, failed or aborted, not 'done'
    expect: {ins: WORKING, status: done, handled: maybe, effects: [x]}
                                   ^~~~
flow.test.yaml:13:51: error: 'handled' must be true or false, not 'maybe'
    expect: {ins: WORKING, status: done, handled: maybe, effects: [x]}
                                                  ^~~~~
flow.test.yaml:13:68: error: 'an effect' must be a map, not 'x'
    expect: {ins: WORKING, status: done, handled: maybe, effects: [x]}
                                                                   ^
)");
}

TEST(Load, AFileNeedsAVersionAndCases) {
  EXPECT_EQ(played("workflow: flow.yaml\n"),
            R"(flow.test.yaml:1:1: error: this is no scenario test
workflow: flow.yaml
^~~~~~~~~~~~~~~~~~~
  help: a test file says 'agneto-test: 1'; see docs/testing.md
flow.test.yaml:1:1: error: a test file needs 'cases'
workflow: flow.yaml
^~~~~~~~~~~~~~~~~~~
  help: list at least one: cases: [{name: …, steps: […], expect: {…}}]
)");
  EXPECT_EQ(played("agneto-test: 2\ncases: []\n"),
            R"(flow.test.yaml:1:14: error: 'agneto-test' must be 1, not '2'
agneto-test: 2
             ^
  help: this program knows version 1 of the format
flow.test.yaml:2:8: error: 'cases' lists none
cases: []
       ^~
)");
}

TEST(Load, TwoCasesHaveTwoNames) {
  EXPECT_EQ(played("agneto-test: 1\ncases:\n  - {name: one}\n  - {name: one}\n  - {steps: []}\n"),
            R"(flow.test.yaml:4:12: error: there are two cases 'one'
  - {name: one}
           ^~~
flow.test.yaml:3:12: note: the first is here
  - {name: one}
           ^~~
flow.test.yaml:5:5: error: a case needs a 'name'
  - {steps: []}
    ^~~~~~~~~~~
)");
}

TEST(Load, NamedStepsHaveAnEnd) {
  EXPECT_EQ(played(R"yaml(agneto-test: 1
steps:
  a: [{use: b}]
  b: [{use: a}]
  wrong: [{at: WORKING}]
cases:
  - {name: one, steps: [{use: wrong, times: 0}]}
)yaml"),
            R"(flow.test.yaml:3:13: error: the steps 'b' use themselves, and would have no end
  a: [{use: b}]
            ^
flow.test.yaml:4:13: error: the steps 'a' use themselves, and would have no end
  b: [{use: a}]
            ^
flow.test.yaml:5:11: error: this step does nothing
  wrong: [{at: WORKING}]
          ^~~~~~~~~~~~~
  help: give it one of reply, outcome, answer, text, event, advance, use
flow.test.yaml:7:45: error: 'times' must be a number from 1 to 1000, not '0'
  - {name: one, steps: [{use: wrong, times: 0}]}
                                            ^
)");
}

TEST(Load, NamesWhatTheWorkflowHasNot) {
  EXPECT_EQ(played(R"yaml(agneto-test: 1
cases:
  - name: one
    inputs: {tsk: it}
    steps:
      - {at: WORKNG, outcome: DONE, expect: {in: [GATE, GAET]}}
    expect: {context: {nite: x}, outputs: {x: 1}, path: [WORKING, '...', END]}
)yaml"),
            R"(flow.test.yaml:4:13: error: case 'one': input 'task' is missing; its type is string
    inputs: {tsk: it}
            ^~~~~~~~~
flow.test.yaml:4:13: error: case 'one': unknown input 'tsk'; did you mean 'task'?
    inputs: {tsk: it}
            ^~~~~~~~~
flow.test.yaml:6:14: error: there is no state 'WORKNG' in flow.yaml
      - {at: WORKNG, outcome: DONE, expect: {in: [GATE, GAET]}}
             ^~~~~~
  help: did you mean 'WORKING'?
flow.test.yaml:6:57: error: there is no state 'GAET' in flow.yaml
      - {at: WORKNG, outcome: DONE, expect: {in: [GATE, GAET]}}
                                                        ^~~~
  help: did you mean 'GATE'?
flow.test.yaml:7:24: error: the context has no 'nite'
    expect: {context: {nite: x}, outputs: {x: 1}, path: [WORKING, '...', END]}
                       ^~~~
  help: did you mean 'note'?
flow.test.yaml:7:44: error: there is no output 'x'
    expect: {context: {nite: x}, outputs: {x: 1}, path: [WORKING, '...', END]}
                                           ^
  help: known names: note
flow.test.yaml:7:74: error: there is no state 'END' in flow.yaml
    expect: {context: {nite: x}, outputs: {x: 1}, path: [WORKING, '...', END]}
                                                                         ^~~
  help: known states: ABORTED, BROKEN, FINE, GATE, LATE, TESTING, WORKING
)");
}

}  // namespace
}  // namespace agneto::play
