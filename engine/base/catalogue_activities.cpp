#include "base/catalogue.h"

namespace agneto {

namespace {

constexpr Rule rules[] = {
    {"E401", "two-activities", "a state with more than one activity",
     R"(An atomic state does one thing, and its end is an event that leads on. Make two states of it: one
after the other, or, if both are to happen at once, two regions of a parallel state.)"},
    {"E402", "undefined-agent", "a call of an agent that the file does not define",
     R"(Agents are defined under `agents` in the machine that calls them; another machine's are not seen.)"},
    {"E403", "wider-access", "a state that gives an agent more than its own access",
     R"(What a role may touch is said where it is defined, so that one look there is enough. A state may
only narrow it: `read-only` is less than `edit`, and `edit` less than `full`.)"},
    {"E404", "bad-question", "a question that nobody can answer, or not in one way",
     R"(A question has `options` to choose from, or takes words with `text`. Its default is taken where
nobody can be asked, so that it cannot require feedback.)"},
    {"E406", "undefined-option", "a default that is none of the question's options",
     R"(Where nobody can be asked, a question takes its `default`, which names one of its options.)"},
    {"E407", "reserved-name", "a verdict, option, outcome or item named like something else",
     R"(`any`, `abort`, and what begins with `error`, `limit` or `done.state` are events of the engine: a
transition on such a name could not know which of the two it takes. The name of an item must not hide
what Lua knows already.)"},
    {"E408", "bad-limit", "a limit that lets nothing happen",
     R"(A timeout of no time ends every call, and no tries mean that the agent is never called. Leave the
key out for the usual bound.)"},
    {"E409", "undefined-session", "a conversation that lives in a state that does not exist",
     R"(`session` is `fresh`, `machine`, `run`, or the name of a state: then the conversation lives as long
as that state is active.)"},
    {"E410", "outside-session",
     "a call outside of the state in which the agent's conversation lives",
     R"(An agent whose `session` names a state can only be called inside that state: elsewhere there is no
conversation to go on with. Move the call, or choose another `session`.)"},
    {"E411", "spliced-shell", "a `{{` in shell text, which stays as it is",
     R"(Values are never put into shell text: what a model or a person wrote would become a part of the
program. Pass them by `env` and write `"$NAME"`, or use `argv`, of which each entry is one argument.)"},
    {"E412", "bad-quorum", "a quorum of no items",
     R"(A `for_each` with a quorum of 0 would be done before it began. Say how many items must complete, or
write `join: all`.)"},
    {"W413", "untaken-outcome",
     "a verdict, option or outcome that no transition takes on the way to the root",
     R"(Nothing idles for ever: an outcome that no transition takes ends its machine as failed, and the
activity that delegated to it in `error.unhandled`. Add a transition on it to the state or around it.
Where a transition takes a name that differs by a slip of the hand, the message shows it.)"},
    {"W414", "unused-agent", "an agent that no state calls",
     R"(Perhaps the state that called it is gone, or calls another by mistake. Remove it, or call it.)"},
    {"E415", "hooks", "a hook module that cannot be loaded or lacks what is called",
     R"(A hook module is a Lua file that returns a table with `prompt` and, if it reads the reply itself,
`parse`; or `tasks`, a table of such tables, where the role does several jobs. The message says what
is missing, or what Lua said when the module was loaded.)"},
};

}  // namespace

std::span<const Rule> activity_rules() {
  return rules;
}

}  // namespace agneto
