#include "base/catalogue.h"

namespace agneto {

namespace {

constexpr Rule rules[] = {
    {"E301", "bad-type", "a type that does not exist or is not finished",
     R"(Types are `string`, `integer`, `number`, `boolean`, `list`, `map`, `any`, `[string]` (a list of)
and `enum [a, b]` (a choice); a `?` behind one allows null. Within `{ }` a type with brackets or a
`?` must be quoted.)"},
    {"E302", "wrong-type", "a literal that does not fit the type that is declared",
     R"(A default must be a value of its own type, and a minimum belongs to a number that is not below it.
Found here, it costs nothing; found in a run, it would end one.)"},
    {"E303", "two-main-inputs", "a second input that is `main`",
     R"(The words on the command line fill one input, the one marked `main`. The others are given with
`--input NAME=VALUE`.)"},
    {"E304", "bad-main-input", "a main input that is not text",
     R"(The words on the command line are text, so that the input which they fill is a `string`.)"},
    {"E305", "bad-template", "an expression in a template that is not closed, or empty",
     R"(In a question, a label, an argument or a commit message `{{` begins a Lua expression and `}}` ends
it. For the braces themselves write `{{"{{"}}`.)"},
};

}  // namespace

std::span<const Rule> data_rules() {
  return rules;
}

}  // namespace agneto
