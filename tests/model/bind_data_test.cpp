#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

TEST(DataReported, AMinimum) {
  EXPECT_EQ(
      load_text(R"yaml(agneto: 1
name: flow
inputs:
  a: {type: string, minimum: 1}
  b: {type: integer, minimum: 1, default: 0}
  c: {type: integer, minimum: one}
  d: {type: integer, maximum: 3, default: 4}
  e: {type: integer, minimum: 3, maximum: 2}
initial: A
states: {A: {final: true}}
)yaml")
          .messages(),
      R"text(flow.yaml:4:30: error: 'a' is of type string, which has no minimum [E302/wrong-type]
  a: {type: string, minimum: 1}
                             ^
  help: leave it out, or make the input an integer or a number
flow.yaml:5:31: error: the default of 'b' is below its minimum [E302/wrong-type]
  b: {type: integer, minimum: 1, default: 0}
                              ^
flow.yaml:6:31: error: 'minimum' must be a number, found 'one' [E124/wrong-kind]
  c: {type: integer, minimum: one}
                              ^~~
flow.yaml:7:31: error: the default of 'd' is above its maximum [E302/wrong-type]
  d: {type: integer, maximum: 3, default: 4}
                              ^
flow.yaml:8:43: error: the maximum of 'e' is below its minimum [E302/wrong-type]
  e: {type: integer, minimum: 3, maximum: 2}
                                          ^
)text");
}

TEST(DataReported, InputsAndTypes) {
  EXPECT_EQ(load_text(R"yaml(agneto: 1
name: flow
inputs:
  a: {type: string, main: true}
  b: {type: string, main: true}
  c: {type: integer, main: true}
  d: {type: integer, default: three}
  e: {default: 3}
  f: strin
  g: {typ: string}
  h: [string, integer]
  i: {type: enum}
  j: {type: 'enum [a, a]'}
  k: {enum: []}
  l: {enum: [a, [b]]}
  m: 'enum [a, , b]'
  n: {type: boolean, default: yes}
initial: A
states: {A: {final: true}}
)yaml")
                .messages(),
            R"text(flow.yaml:5:3: error: 'b' is a second main input [E303/two-main-inputs]
  b: {type: string, main: true}
  ^
  help: TASK on the command line fills one input; remove `main` from the others
flow.yaml:4:3: note: the first is here
  a: {type: string, main: true}
  ^
flow.yaml:6:3: error: 'c' is a second main input [E303/two-main-inputs]
  c: {type: integer, main: true}
  ^
  help: TASK on the command line fills one input; remove `main` from the others
flow.yaml:4:3: note: the first is here
  a: {type: string, main: true}
  ^
flow.yaml:6:28: error: the main input is of type integer, and TASK is text [E304/bad-main-input]
  c: {type: integer, main: true}
                           ^~~~
  help: make it a string
flow.yaml:7:31: error: the default of 'd' does not fit its type: expected integer, found string "three" [E302/wrong-type]
  d: {type: integer, default: three}
                              ^~~~~
flow.yaml:8:3: error: an input needs the key 'type' [E122/missing-key]
  e: {default: 3}
  ^
  help: type: The input's type
flow.yaml:9:6: error: there is no type 'strin' [E301/bad-type]
  f: strin
     ^~~~~
  help: did you mean 'string'?
flow.yaml:10:7: error: an input has no key 'typ' [E121/unknown-key]
  g: {typ: string}
      ^~~
  help: did you mean 'type'?
flow.yaml:11:6: error: expected a type, found a list [E301/bad-type]
  h: [string, integer]
     ^~~~~~~~~~~~~~~~~
  help: types are string, integer, number, boolean, list, map, any, [string], enum [a, b], {fields: {line: integer}}, and each of them with a ? behind it for what may be null
flow.yaml:12:13: error: an enum without its choices [E301/bad-type]
  i: {type: enum}
            ^~~~
  help: write "enum [a, b]", with its quotes
flow.yaml:13:13: error: 'a' is in this enum twice [E301/bad-type]
  j: {type: 'enum [a, a]'}
            ^~~~~~~~~~~~~
flow.yaml:14:6: error: an enum without its choices [E301/bad-type]
  k: {enum: []}
     ^~~~~~~~~~
  help: write "enum [a, b]", with its quotes
flow.yaml:15:6: error: a choice of an enum is a name or text [E301/bad-type]
  l: {enum: [a, [b]]}
     ^~~~~~~~~~~~~~~~
  help: write "enum [a, b]", with its quotes
flow.yaml:16:6: error: an empty choice in an enum [E301/bad-type]
  m: 'enum [a, , b]'
     ^~~~~~~~~~~~~~~
  help: write "enum [a, b]", with its quotes
flow.yaml:17:31: error: 'yes' is read differently by different readers of YAML [E113/ambiguous-scalar]
  n: {type: boolean, default: yes}
                              ^~~
  help: quote it if it is a text ('yes'), else write true, false or a decimal number
)text");
}

TEST(DataReported, ContextEntries) {
  EXPECT_EQ(load_text(R"yaml(agneto: 1
name: flow
context:
  a: {type: string}
  b: {default: 3}
  c: {type: string, default: x, init: inputs.y}
  d: {type: string, defualt: x}
  e: {type: '[string]', default: [a, 3]}
  f: 123456789012345678901234567890
initial: A
states: {A: {final: true}}
)yaml")
                .messages(),
            R"text(flow.yaml:4:3: error: 'a' has no value to start with [E122/missing-key]
  a: {type: string}
  ^
  help: give it a `default` or an `init`, or make it optional: "string?"
flow.yaml:5:3: error: a context entry needs the key 'type' [E122/missing-key]
  b: {default: 3}
  ^
  help: type: The entry's type
flow.yaml:6:3: error: 'c' has both 'default' and 'init' [E127/one-of]
  c: {type: string, default: x, init: inputs.y}
  ^
  help: default: a literal value; init: Lua that computes it; keep one of them
flow.yaml:7:3: error: 'd' has no value to start with [E122/missing-key]
  d: {type: string, defualt: x}
  ^
  help: give it a `default` or an `init`, or make it optional: "string?"
flow.yaml:7:21: error: a context entry has no key 'defualt' [E121/unknown-key]
  d: {type: string, defualt: x}
                    ^~~~~~~
  help: did you mean 'default'?
flow.yaml:8:34: error: the default of 'e' does not fit its type: item 2: expected string, found integer 3 [E302/wrong-type]
  e: {type: '[string]', default: [a, 3]}
                                 ^~~~~~
flow.yaml:9:6: error: the number 123456789012345678901234567890 does not fit into 64 bits [E114/number-too-large]
  f: 123456789012345678901234567890
     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: quote it to make it a text
)text");
}

}  // namespace
}  // namespace agneto::model
