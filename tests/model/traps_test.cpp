#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

TEST(TrapsReported, ATabThatIndents) {
  EXPECT_EQ(load_text(R"yaml(agneto: 1
name: flow
	initial: A
)yaml")
                .messages(),
            R"text(flow.yaml:3:1: error: a tab cannot indent YAML [E106/yaml-tab]
	initial: A
^
  help: indent with spaces
)text");
}

TEST(TrapsReported, ADuplicateKey) {
  EXPECT_EQ(load_states(R"yaml(  A: {final: true}
initial: B
)yaml")
                .messages(),
            R"text(flow.yaml:6:1: error: duplicate key 'initial' [E110/duplicate-key]
initial: B
^~~~~~~
  help: remove one of the two, or rename it
flow.yaml:3:1: note: first defined here
initial: A
^~~~~~~
)text");
}

TEST(TrapsReported, AGuardSwallowedByAComment) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    always:
      - guard: #ctx.items > 0
        target: B
      - B
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:7:16: error: '#' begins a comment here, so that the value is empty [E112/comment-cuts-value]
      - guard: #ctx.items > 0
               ^~~~~~~~~~~~~~
  help: quote the value or write it behind '|'; a real comment needs a space behind its '#'
)text");
}

TEST(TrapsReported, AGuardCutByAComment) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    always:
      - guard: ctx.n + #ctx.items > 3
        target: B
      - B
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:7:24: error: '#' begins a comment here, so that the value is only 'ctx.n +' [E112/comment-cuts-value]
      - guard: ctx.n + #ctx.items > 3
                       ^~~~~~~~~~~~~~
  help: quote the value or write it behind '|'; a real comment needs a space behind its '#'
)text");
}

TEST(TrapsReported, ACommaInALabel) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    ask:
      question: Merge?
      options: {OK: Yes, merge it}
    on: {OK: B}
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:8:26: error: 'merge it' is a key without a value [E111/flow-key-without-value]
      options: {OK: Yes, merge it}
                         ^~~~~~~~
  help: a comma ends a value inside { }; quote it: OK: 'Yes, merge it'
)text");
}

TEST(TrapsReported, ACommaInLua) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    on: {GO: {target: B, do: raise("x", ctx.y)}}
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:6:41: error: 'ctx.y)' is a key without a value [E111/flow-key-without-value]
    on: {GO: {target: B, do: raise("x", ctx.y)}}
                                        ^~~~~~
  help: a comma ends a value inside { }; quote it: do: 'raise("x", ctx.y)'
)text");
}

// What is proposed is YAML, of the whole text, and said once.
TEST(TrapsReported, CommasAndQuotesInLua) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    on:
      A: {do: 'print("a", "b")', target: B}
      B: {target: B, do: f("it's", 1), guard: g(ctx.n, 1)}
      C: {guard: event.output == "a, b, c", target: B}
      D: {do: raise("x", "y")}
      E: B
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:8:36: error: '1)' is a key without a value [E111/flow-key-without-value]
      B: {target: B, do: f("it's", 1), guard: g(ctx.n, 1)}
                                   ^~
  help: a comma ends a value inside { }; quote it: do: 'f("it''s", 1)'
flow.yaml:8:56: error: '1)' is a key without a value [E111/flow-key-without-value]
      B: {target: B, do: f("it's", 1), guard: g(ctx.n, 1)}
                                                       ^~
  help: a comma ends a value inside { }; quote it: guard: 'g(ctx.n, 1)'
flow.yaml:9:38: error: 'b' is a key without a value [E111/flow-key-without-value]
      C: {guard: event.output == "a, b, c", target: B}
                                     ^
  help: a comma ends a value inside { }; quote it: guard: 'event.output == "a, b, c"'
flow.yaml:10:26: error: 'y' is a key without a value [E111/flow-key-without-value]
      D: {do: raise("x", "y")}
                         ^~~
  help: a comma ends a value inside { }; quote it: do: 'raise("x", "y")'
)text");
}

TEST(TrapsReported, TextBehindAQuote) {
  const auto found = [](const std::string& line) {
    return load_states("  A:\n    on: {GO: B}\n" + line + "\n  B: {final: true}\n").messages();
  };
  EXPECT_EQ(found("    entry: \"ctx.x\" == 1  # one"),
            R"text(flow.yaml:7:20: error: text behind a closing quote [E101/yaml]
    entry: "ctx.x" == 1  # one
                   ^~~~
  help: quote the whole of it: '"ctx.x" == 1'
)text");
  EXPECT_EQ(found("    always: {guard: 'a' == \"b\", target: B}"),
            R"text(flow.yaml:7:25: error: text behind a closing quote [E101/yaml]
    always: {guard: 'a' == "b", target: B}
                        ^~~~~~
  help: quote the whole of it: '''a'' == "b"'
)text");
  EXPECT_EQ(found("    \"entry\" x: 1"),
            R"text(flow.yaml:7:13: error: text behind a closing quote [E101/yaml]
    "entry" x: 1
            ^~~~
  help: put the whole value into quotes of the other kind
)text");
}

TEST(TrapsReported, ABlockInBraces) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    on:
      GO: {target: B, do: |
        ctx.n = 1
      }
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:7:27: error: no block of lines ('|') can stand inside brackets [E101/yaml]
      GO: {target: B, do: |
                          ^
  help: write what is around it without braces, a key a line; or quote the text
)text");
}

TEST(TrapsReported, NoBracketsInUnquotedLua) {
  EXPECT_EQ(load_states(R"yaml(  A:
    entry: ctx.list[1] = {a = 1, b = 2}
    on: {GO: B}
  B: {final: true}
)yaml")
                .messages(),
            "");
}

TEST(TrapsReported, BracketsInLuaInBraces) {
  EXPECT_EQ(load_states(R"yaml(  A:
    on: {GO: {guard: ctx.list[1] == 2, target: B}}
  B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:6:30: error: expected ',' or '}' here [E101/yaml]
    on: {GO: {guard: ctx.list[1] == 2, target: B}}
                             ^
  help: close the map with '}'; quote a text that holds brackets
flow.yaml:6:14: note: in the '{' that begins here
    on: {GO: {guard: ctx.list[1] == 2, target: B}}
             ^
)text");
}

TEST(TrapsReported, ANegationThatYamlTakesForATag) {
  EXPECT_EQ(load_states(R"yaml(  A:
    on: {GO: {guard: !ctx.done and ctx.x, target: B}}
  B: {final: true}
)yaml")
                .messages(),
            "");
}

TEST(TrapsReported, AColonInLua) {
  EXPECT_EQ(load_states(R"yaml(  A:
    entry: ctx.x = 'a: b'
    on: {GO: B}
  B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:6:22: error: a value without quotes cannot hold ': ' [E101/yaml]
    entry: ctx.x = 'a: b'
                     ^
  help: quote it, or write it behind '|' on a line of its own
)text");
}

TEST(TrapsReported, ACommentInFoldedLua) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    entry: >
      ctx.a = 1 -- first
      ctx.b = 2
    exit:
      ctx.a = 1 -- first
      ctx.b = 2
    on: {GO: B}
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:6:12: error: YAML joins these lines into one, so that the '--' comment swallows what follows it [E502/lua-lines-joined]
    entry: >
           ^
      ctx.a = 1 -- first
      ~~~~~~~~~~~~~~~~~~
      ctx.b = 2
      ~~~~~~~~~
  help: put the Lua in a block: `entry: |`, and the Lua indented on the next line
flow.yaml:10:7: error: YAML joins these lines into one, so that the '--' comment swallows what follows it [E502/lua-lines-joined]
      ctx.a = 1 -- first
      ^~~~~~~~~~~~~~~~~~
      ctx.b = 2
      ~~~~~~~~~
  help: put the Lua in a block: `exit: |`, and the Lua indented on the next line
)text");
}

TEST(TrapsReported, NothingInABlockOrInQuotes) {
  EXPECT_EQ(load_states(R"yaml(  A:
    entry: |
      ctx.a = 1 -- first
      ctx.b = #ctx.list[1], {}
    exit: "ctx.a = 'x--y'"
    on: {GO: B}
  B: {final: true}
)yaml")
                .messages(),
            "");
}

TEST(TrapsReported, AStarAlone) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    on:
      *: B
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:7:7: error: '*' begins an alias, and aliases are not supported [E101/yaml]
      *: B
      ^
  help: write 'any' for every event; quote a text that begins with '*'
)text");
}

TEST(TrapsReported, AnchorsAndAliases) {
  EXPECT_EQ(load_states(R"yaml(  A: &a {final: true}
  B: *a
)yaml")
                .messages(),
            R"text(flow.yaml:5:6: error: anchors ('&a') are not supported [E108/yaml-alias]
  A: &a {final: true}
     ^~
  help: write the value out; quote a text that begins with '&'
flow.yaml:6:6: error: aliases ('*a') are not supported [E108/yaml-alias]
  B: *a
     ^~
  help: write the value out; quote a text that begins with '*'
)text");
}

TEST(TrapsReported, AnUnquotedTemplate) {
  EXPECT_EQ(load_states(R"yaml(  A:
    ask:
      question: {{ctx.x}}
      options: {OK: Go on}
    on: {OK: B}
  B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:7:17: error: a text with '{{' must be quoted [E109/yaml-key]
      question: {{ctx.x}}
                ^
  help: without quotes, '{' begins a map
)text");
}

TEST(TrapsReported, AmbiguousScalars) {
  EXPECT_EQ(
      load_text(R"yaml(agneto: 1
name: flow
context:
  a: yes
  b: 1e3
  c: 0o17
  d: 12:30
initial: A
states: {A: {final: true}}
)yaml")
          .messages(),
      R"text(flow.yaml:4:6: error: 'yes' is read differently by different readers of YAML [E113/ambiguous-scalar]
  a: yes
     ^~~
  help: quote it if it is a text ('yes'), else write true, false or a decimal number
flow.yaml:5:6: error: '1e3' is read differently by different readers of YAML [E113/ambiguous-scalar]
  b: 1e3
     ^~~
  help: quote it if it is a text ('1e3'), else write true, false or a decimal number
flow.yaml:6:6: error: '0o17' is read differently by different readers of YAML [E113/ambiguous-scalar]
  c: 0o17
     ^~~~
  help: quote it if it is a text ('0o17'), else write true, false or a decimal number
flow.yaml:7:6: error: '12:30' is read differently by different readers of YAML [E113/ambiguous-scalar]
  d: 12:30
     ^~~~~
  help: quote it if it is a text ('12:30'), else write true, false or a decimal number
)text");
}

TEST(TrapsReported, AnAliasBomb) {
  EXPECT_EQ(load_text(R"yaml(a: &a [x, x]
b: &b [*a, *a]
c: [*b, *b]
)yaml")
                .messages(),
            R"text(flow.yaml:1:1: error: a machine has no key 'a' [E121/unknown-key]
a: &a [x, x]
^
  help: known keys: agneto, extends, name, description, inputs, context, agents, verdicts, functions, limits, initial, on, …
flow.yaml:1:1: error: a machine needs the key 'agneto' [E122/missing-key]
a: &a [x, x]
^
  help: agneto: The version of the language: 1
flow.yaml:1:1: error: a machine needs the key 'name' [E122/missing-key]
a: &a [x, x]
^
  help: name: What the machine is called
flow.yaml:1:1: error: a machine needs the key 'initial' [E122/missing-key]
a: &a [x, x]
^
  help: initial: The state to begin in
flow.yaml:1:1: error: a machine needs the key 'states' [E122/missing-key]
a: &a [x, x]
^
  help: states: The states inside
flow.yaml:1:4: error: anchors ('&a') are not supported [E108/yaml-alias]
a: &a [x, x]
   ^~
  help: write the value out; quote a text that begins with '&'
flow.yaml:2:1: error: a machine has no key 'b' [E121/unknown-key]
b: &b [*a, *a]
^
  help: known keys: agneto, extends, name, description, inputs, context, agents, verdicts, functions, limits, initial, on, …
flow.yaml:2:4: error: anchors ('&b') are not supported [E108/yaml-alias]
b: &b [*a, *a]
   ^~
  help: write the value out; quote a text that begins with '&'
flow.yaml:2:8: error: aliases ('*a') are not supported [E108/yaml-alias]
b: &b [*a, *a]
       ^~
  help: write the value out; quote a text that begins with '*'
flow.yaml:2:12: error: aliases ('*a') are not supported [E108/yaml-alias]
b: &b [*a, *a]
           ^~
  help: write the value out; quote a text that begins with '*'
flow.yaml:3:1: error: a machine has no key 'c' [E121/unknown-key]
c: [*b, *b]
^
  help: known keys: agneto, extends, name, description, inputs, context, agents, verdicts, functions, limits, initial, on, …
flow.yaml:3:5: error: aliases ('*b') are not supported [E108/yaml-alias]
c: [*b, *b]
    ^~
  help: write the value out; quote a text that begins with '*'
flow.yaml:3:9: error: aliases ('*b') are not supported [E108/yaml-alias]
c: [*b, *b]
        ^~
  help: write the value out; quote a text that begins with '*'
)text");
}

}  // namespace
}  // namespace agneto::model
