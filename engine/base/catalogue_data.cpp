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
    {"W306", "constant-guard", "a guard that does not depend on anything",
     R"(It is the same whatever happens: a transition with `true` is the same without it, one with `false` is
never taken, and a text or a number is always true. Perhaps it was put there to try something.)"},
    {"W307", "undefined-name", "a name of `ctx`, `inputs` or `run` that does not exist",
     R"(The context and the inputs are declared in the machine that uses them: to read or to write another name
raises `error.lua`. What another machine knows is passed by `with`, and comes back in its outputs.
`run` has `id`, `interactive` and `auto_merge`; anything else of it is nil.)"},
    {"W308", "undefined-field", "a field that the event does not have",
     R"(An event that is an activity's outcome has the fields that the activity gives it: a verdict's are
declared with it, a machine's are its outputs. Another one is nil, and mostly an error a moment
later.)",
     true},
    {"W309", "read-only", "an assignment to an input, an event or the run",
     R"(What a machine was given does not change while it runs; to assign it raises `error.lua`. What changes
belongs into `context`, which can begin as an input: `{type: string, init: inputs.task}`.)"},
    {"W310", "wrong-assignment", "a value that a context entry's type does not allow",
     R"(Types are checked when the block ends: a value that does not fit is not taken, and `error.lua` is
raised. A choice takes the texts that it lists, and no other.)"},
    {"W311", "impossible-comparison", "a comparison of what can never be equal",
     R"(A text never equals a number, whatever is in it, and a choice never equals a text that it does not
list. The guard is the same for ever, mostly because of a slip of the hand.)"},
    {"W312", "unused-context", "a context entry that nothing reads",
     R"(Guards, actions, templates, outputs and the hooks of the machine's agents were looked through. An entry
that is assigned and never read may be meant for `outputs`, without which it is gone with the
machine.)"},
    {"W313", "unused-input", "an input that nothing reads",
     R"(Whoever starts the machine is asked for it in vain. Guards, actions, templates, outputs, what is passed
on and the hooks of the machine's agents, with the templates in them, were looked through.)"},
    {"W314", "never-assigned", "a flag or a counter that guards read and nothing assigns",
     R"(It begins as nothing (`0`, `false`, `""` or null) and stays so, and with it every guard that looks at it
alone. The assignment is missing, or is to another name.)"},
    {"W315", "unset-name", "a context entry that is read where nothing may have assigned it",
     R"(An entry with a type such as `string?` and no default is null until something assigns it. The states
shown lead there, along transitions that no guard decides on, and none of them does. An expression
that compares or tests the value, as in `ctx.plan or "none"`, is left alone.)"},
    {"W316", "unset-output", "an output that is null where a machine ended well",
     R"(It gives back a context entry without a default, which nothing assigns on the way shown. Whoever runs
or delegates to the machine counts on its outputs where it has not failed.)"},
};

}  // namespace

std::span<const Rule> data_rules() {
  return rules;
}

}  // namespace agneto
