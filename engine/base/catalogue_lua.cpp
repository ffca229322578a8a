#include "base/catalogue.h"

namespace agneto {

namespace {

constexpr Rule rules[] = {
    {"E501", "lua-syntax", "Lua that does not compile",
     R"(The place is the line of the YAML file. A guard is one expression, and compares with `==` and `~=`;
`do`, `entry` and `exit` are statements. What came from other languages is translated in the help:
`!=`, `&&`, `||`, `!` and `+=`.)"},
    {"E502", "lua-lines-joined", "a Lua comment that swallows the lines behind it",
     R"(Behind `>`, and in a text over several lines, YAML joins the lines to one, so that everything after
a `--` becomes a part of the comment. Write the Lua behind `|`, which keeps its lines.)"},
    {"W503", "lua-in-plain-scalar", "unquoted Lua with a character that means something in YAML",
     R"(`, [ ] { } #` and `: ` mean something to YAML; whether they end the value here depends on what is
around it. Lua that has them is safe behind `|`, or in quotes.)",
     true},
    {"W504", "bare-word", "a Lua expression of one word that is no name",
     R"(The value is Lua, where a word is a name, and one that Lua does not know an error. A text is written
`'"word"'`, with quotes for Lua inside the quotes for YAML; an entry of the context is `ctx.word`, an
input `inputs.word`.)"},
    {"W505", "undefined-global", "a name that Lua does not know there",
     R"(Guards and actions know `ctx`, `inputs`, `event`, `run`, `state_in`, `null` and Lua's own library
without what reaches outside or depends on time or chance: `os`, `io`, `math.random`. Actions know
`raise`, `send` and `cancel` too, and hooks `require`. To look at any other name raises `error.lua`;
what a library has not is nil.)"},
    {"W506", "assigned-global", "an assignment to a global name",
     R"(A piece of Lua leaves nothing behind but what it assigns in `ctx`, so that a run can be resumed and
replayed. Without `local`, a new name is global, and to assign it raises `error.lua`.)"},
    {"W507", "undefined-state", "a `state_in` of a state that does not exist",
     R"(`state_in` asks whether a state of the same machine is active. To ask for another raises
`error.lua`.)"},
    {"W508", "action-in-expression", "`raise`, `send` or `cancel` in an expression",
     R"(A guard may be asked more than once, or not at all, so that it only looks. What does something belongs
into `do`, `entry` or `exit`; in an expression it raises `error.lua`.)"},
    {"W509", "changing-expression", "an expression that changes the context",
     R"(A guard, a template or an output says what is so. What it changed is put back, and `error.lua` is
raised. Sort or extend a copy, or do it in an action.)"},
    {"W510", "bad-event", "a text that is no event's name, in `raise` or `send`",
     R"(An event's name is letters, digits, `_`, `-` and dots, and begins with a letter or `_`. To raise
anything else raises `error.lua` instead.)"},
    {"W511", "unsent-id", "a `cancel` of what is never sent",
     R"(`cancel` takes back what was sent with that `id` and is not due yet. An id that no `send` of the machine
has cancels nothing.)"},
    {"W512", "hook-field", "a hook that reads a name which its machines do not have",
     R"(In a hook, `m.ctx` and `m.inputs` are those of the machine that calls the agent. A name that none of
them has, and that is nearly one they have, is a slip of the hand: it is nil, and the prompt lacks
it. The same goes for the fields of `m` itself, of `m.run` and of `m.workspace`. Of workflows that are
linted together, all whose agents use the hook count.)"},
    {"W513", "foreign-verdict", "a hook that speaks of a verdict which no state declares",
     R"(What a prompt calls a verdict is what the agent answers. A name that is nearly a declared verdict, and
is not, gives a reply that cannot be used: the agent is asked again, and in the end the call fails.
This looks at words of capitals in the texts of hook modules, and at what a `parse` returns. Of
workflows that are linted together, the states of all whose agents use the hook count.)"},
    {"W514", "undefined-member", "a name that a required module does not have",
     R"(A module is the table that its file returns. Another name of it is nil, and to call that raises an error
in the middle of a run, when the hook gets there. Nothing is said of modules whose table is not
plain to see.)"},
};

}  // namespace

std::span<const Rule> lua_rules() {
  return rules;
}

}  // namespace agneto
