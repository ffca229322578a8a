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
around it. Lua that has them is safe behind `|`, or in quotes.)"},
    {"W504", "bare-word", "a Lua expression of one word that is no name",
     R"(The value is Lua, where a word is a name. One that Lua does not know is `nil`. A text is written
`'"word"'`, with quotes for Lua inside the quotes for YAML; an entry of the context is `ctx.word`, an
input `inputs.word`.)"},
};

}  // namespace

std::span<const Rule> lua_rules() {
  return rules;
}

}  // namespace agneto
