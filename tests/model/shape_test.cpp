#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

TEST(ShapeReports, AFileThatIsNotAMap) {
  EXPECT_EQ(
      load_text(R"yaml(- agneto
- machine
)yaml")
          .messages(),
      R"text(flow.yaml:1:1: error: expected a machine (a map of its keys), found a list [E124/wrong-kind]
- agneto
^~~~~~~~
- machine
~~~~~~~~~
)text");
}

TEST(ShapeReports, EveryMissingKey) {
  EXPECT_EQ(load_text(R"yaml(description: Nothing else
)yaml")
                .messages(),
            R"text(flow.yaml:1:1: error: a machine needs the key 'agneto' [E122/missing-key]
description: Nothing else
^
  help: agneto: The version of the language: 1
flow.yaml:1:1: error: a machine needs the key 'name' [E122/missing-key]
description: Nothing else
^
  help: name: What the machine is called
flow.yaml:1:1: error: a machine needs the key 'initial' [E122/missing-key]
description: Nothing else
^
  help: initial: The state to begin in
flow.yaml:1:1: error: a machine needs the key 'states' [E122/missing-key]
description: Nothing else
^
  help: states: The states inside
)text");
}

TEST(ShapeReports, AnUnknownKeyWithANearName) {
  EXPECT_EQ(load_states(R"yaml(  A:
    on:
      GO: {gaurd: ctx.ready, target: B}
  B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:7:12: error: a transition has no key 'gaurd' [E121/unknown-key]
      GO: {gaurd: ctx.ready, target: B}
           ^~~~~
  help: did you mean 'guard'?
)text");
}

TEST(ShapeReports, AnUnknownKeyWithNoNearName) {
  EXPECT_EQ(load_text(R"yaml(agneto: 1
name: flow
colour: blue
initial: A
states:
  A: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:3:1: error: a machine has no key 'colour' [E121/unknown-key]
colour: blue
^~~~~~
  help: known keys: agneto, extends, name, description, inputs, context, agents, verdicts, functions, limits, initial, on, …
)text");
}

TEST(ShapeReports, WordsOfOtherLanguages) {
  EXPECT_EQ(load_states(R"yaml(  A:
    type: parallel
    onentry: ctx.n = 1
    on:
      GO: {cond: ctx.ready, to: B}
  B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:6:5: error: a state has no key 'type' [E121/unknown-key]
    type: parallel
    ^~~~
  help: a state says what it is by `final: true`, `parallel: true` or `history: shallow`
flow.yaml:7:5: error: a state has no key 'onentry' [E121/unknown-key]
    onentry: ctx.n = 1
    ^~~~~~~
  help: write `entry`
flow.yaml:9:12: error: a transition has no key 'cond' [E121/unknown-key]
      GO: {cond: ctx.ready, to: B}
           ^~~~
  help: write `guard`
flow.yaml:9:29: error: a transition has no key 'to' [E121/unknown-key]
      GO: {cond: ctx.ready, to: B}
                            ^~
  help: write `target`
)text");
}

TEST(ShapeReports, ValuesOfTheWrongKind) {
  EXPECT_EQ(
      load_text(R"yaml(agneto: one
name: [flow]
initial: {target: A, do: {x: 1}}
inputs: issue
agents: {coder: hooks.lua}
limits: {calls: many, cost: -1, time: soon}
states:
  A:
    parallel: yes
    entry: {x: 1}
    run: make
    on: GO
    after: 10s
)yaml")
          .messages(),
      R"text(flow.yaml:1:9: error: 'agneto' must be a whole number, found 'one' [E124/wrong-kind]
agneto: one
        ^~~
flow.yaml:2:1: error: 'name' must be a name, found a list [E124/wrong-kind]
name: [flow]
^~~~
flow.yaml:3:22: error: 'do' must be Lua statements or a list, found a map [E124/wrong-kind]
initial: {target: A, do: {x: 1}}
                     ^~
flow.yaml:4:9: error: 'inputs' must be a map by input, found 'issue' [E124/wrong-kind]
inputs: issue
        ^~~~~
  help: as in inputs: {task: string}
flow.yaml:5:17: error: 'coder' must be an agent (a map of its keys), found 'hooks.lua' [E124/wrong-kind]
agents: {coder: hooks.lua}
                ^~~~~~~~~
  help: as in coder: {prompt: coder.md}
flow.yaml:6:17: error: 'calls' must be a whole number, found 'many' [E124/wrong-kind]
limits: {calls: many, cost: -1, time: soon}
                ^~~~
flow.yaml:6:29: error: 'cost' must be a number, found '-1' [E124/wrong-kind]
limits: {calls: many, cost: -1, time: soon}
                            ^~
flow.yaml:6:39: error: 'time' must be a duration such as 10m, found 'soon' [E124/wrong-kind]
limits: {calls: many, cost: -1, time: soon}
                                      ^~~~
flow.yaml:9:15: error: 'parallel' must be true or false, found 'yes' [E124/wrong-kind]
    parallel: yes
              ^~~
flow.yaml:10:5: error: 'entry' must be Lua statements or a list, found a map [E124/wrong-kind]
    entry: {x: 1}
    ^~~~~
flow.yaml:11:10: error: 'run' must be a program to run (a map of its keys), found 'make' [E124/wrong-kind]
    run: make
         ^~~~
  help: write run: {shell: 'make'}
flow.yaml:12:9: error: 'on' must be a map by event or a list, found 'GO' [E124/wrong-kind]
    on: GO
        ^~
  help: as in on: {EVENT: STATE}
flow.yaml:13:12: error: 'after' must be a map by delay or a list, found '10s' [E124/wrong-kind]
    after: 10s
           ^~~
  help: as in after: {10m: STATE}
)text");
}

TEST(ShapeReports, WhatMustNotBeEmpty) {
  EXPECT_EQ(load_text(R"yaml(agneto: 1
name: flow
initial: []
states: {}
)yaml")
                .messages(),
            R"text(flow.yaml:3:1: error: 'initial' must not be empty [E123/no-value]
initial: []
^~~~~~~
flow.yaml:4:1: error: 'states' must not be empty [E123/no-value]
states: {}
^~~~~~
)text");
}

TEST(ShapeReports, KeysWithoutAValue) {
  EXPECT_EQ(load_states(R"yaml(  A:
    entry:
    on:
      GO: ~
  B:
)yaml")
                .messages(),
            R"text(flow.yaml:6:5: error: 'entry' has no value [E123/no-value]
    entry:
    ^~~~~
  help: give it one, or remove the key
flow.yaml:8:7: error: 'GO' has no value [E123/no-value]
      GO: ~
      ^~
  help: give it one, or remove the key
flow.yaml:9:3: error: 'B' has no value [E123/no-value]
  B:
  ^
  help: give it one, or remove the key
)text");
}

TEST(ShapeReports, ANewerVersionAndNothingElse) {
  EXPECT_EQ(
      load_text(R"yaml(agneto: 2
name: flow
news: true
)yaml")
          .messages(),
      R"text(flow.yaml:1:9: error: this file is in version 2 of the language, and this program knows version 1 [E120/version]
agneto: 2
        ^
  help: install a newer agneto
)text");
}

TEST(ShapeReports, AVersionThatNeverWas) {
  EXPECT_EQ(load_text(R"yaml(agneto: 0
name: flow
initial: A
states: {A: {final: true}}
)yaml")
                .messages(),
            R"text(flow.yaml:1:9: error: there is no version 0 of the language [E120/version]
agneto: 0
        ^
  help: write agneto: 1
)text");
}

TEST(ShapeReports, WhatIsNotText) {
  EXPECT_EQ(load_text(R"yaml(agneto: 1
name: flow
description: 2026
initial: A
states:
  A:
    ask:
      question: yes
      options: {OK: true, NO: 1e3}
    on: {OK: A, NO: A}
)yaml")
                .messages(),
            R"text(flow.yaml:3:14: error: 'description' must be text, found '2026' [E124/wrong-kind]
description: 2026
             ^~~~
  help: quote it: "2026"
flow.yaml:8:17: error: 'yes' is read differently by different readers of YAML [E113/ambiguous-scalar]
      question: yes
                ^~~
  help: quote it if it is a text ('yes'), else write true, false or a decimal number
flow.yaml:9:21: error: 'OK' must be text, found 'true' [E124/wrong-kind]
      options: {OK: true, NO: 1e3}
                    ^~~~
  help: quote it: "true"
flow.yaml:9:31: error: '1e3' is read differently by different readers of YAML [E113/ambiguous-scalar]
      options: {OK: true, NO: 1e3}
                              ^~~
  help: quote it if it is a text ('1e3'), else write true, false or a decimal number
)text");
}

TEST(ShapeReports, AWordThatIsNoChoice) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    ask: {question: Go on, options: {OK: {label: Yes, feedback: requierd}}}
    on: {OK: B}
  B: {final: true, status: broken}
)yaml")
          .messages(),
      R"text(flow.yaml:6:50: error: 'Yes' is read differently by different readers of YAML [E113/ambiguous-scalar]
    ask: {question: Go on, options: {OK: {label: Yes, feedback: requierd}}}
                                                 ^~~
  help: quote it if it is a text ('Yes'), else write true, false or a decimal number
flow.yaml:6:65: error: 'feedback' must be none, optional or required, found 'requierd' [E124/wrong-kind]
    ask: {question: Go on, options: {OK: {label: Yes, feedback: requierd}}}
                                                                ^~~~~~~~
  help: did you mean 'required'?
flow.yaml:8:28: error: 'status' must be complete, failed or aborted, found 'broken' [E124/wrong-kind]
  B: {final: true, status: broken}
                           ^~~~~~
)text");
}

TEST(ShapeReports, NamesThatBreakTheGrammar) {
  EXPECT_EQ(load_states(R"yaml(  A b:
    on: {GO now: A, '*': A, error.*: A, a..b: A}
  C.d: {final: true}
  A: {final: true, outcome: so so}
)yaml")
                .messages(),
            R"text(flow.yaml:5:3: error: 'A b' is not a name [E125/bad-name]
  A b:
  ^~~
  help: state names begin with a letter or '_' and go on with letters, digits, '_' and '-'
flow.yaml:6:10: error: 'GO now' is not an event's name [E125/bad-name]
    on: {GO now: A, '*': A, error.*: A, a..b: A}
         ^~~~~~
  help: names begin with a letter or '_' and go on with letters, digits, '_', '-' and '.'
flow.yaml:6:21: error: '*' is not an event's name [E125/bad-name]
    on: {GO now: A, '*': A, error.*: A, a..b: A}
                    ^~~
  help: write 'any' to take every event
flow.yaml:6:29: error: 'error.*' is not an event's name [E125/bad-name]
    on: {GO now: A, '*': A, error.*: A, a..b: A}
                            ^~~~~~~
  help: write 'error': it takes every event that begins with 'error.'
flow.yaml:6:41: error: 'a..b' is not an event's name [E125/bad-name]
    on: {GO now: A, '*': A, error.*: A, a..b: A}
                                        ^~~~
  help: names begin with a letter or '_' and go on with letters, digits, '_', '-' and '.'
flow.yaml:7:3: error: 'C.d' is not a name [E125/bad-name]
  C.d: {final: true}
  ^~~
  help: state names begin with a letter or '_' and go on with letters, digits, '_' and '-'
flow.yaml:8:29: error: 'so so' is not a name [E125/bad-name]
  A: {final: true, outcome: so so}
                            ^~~~~
  help: names begin with a letter or '_' and go on with letters, digits, '_', '-' and '.'
)text");
}

TEST(ShapeReports, DurationsThatAreNone) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    after:
      10 s: B
      1.5h: B
      60: B
      ctx.wait: B
      24h: B
    run: {argv: [make], timeout: 10}
    on: {ok: B, failed: B}
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:7:7: error: 'delay' must be a duration such as 500ms, 10s, 5m, 24h or 1h30m, found '10 s' [E124/wrong-kind]
      10 s: B
      ^~~~
flow.yaml:8:7: error: 'delay' must be a duration such as 500ms, 10s, 5m, 24h or 1h30m, found '1.5h' [E124/wrong-kind]
      1.5h: B
      ^~~~
flow.yaml:9:7: error: 'delay' must be a duration with its unit, found '60' [E124/wrong-kind]
      60: B
      ^~
  help: write 60s, 60m or 60h
flow.yaml:12:34: error: 'timeout' must be a duration such as 10m, found '10' [E124/wrong-kind]
    run: {argv: [make], timeout: 10}
                                 ^~
)text");
}

}  // namespace
}  // namespace agneto::model
