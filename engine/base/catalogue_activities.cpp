#include "base/catalogue.h"

namespace agneto {

namespace {

constexpr Rule rules[] = {
    {"E401", "two-activities", "a state with more than one activity",
     R"(An atomic state does one thing, and its end is an event that leads on. Make two states of it: one
after the other, or, if both are to happen at once, two regions of a parallel state.)"},
    {"E402", "undefined-agent", "a call of an agent that the file does not define",
     R"(Agents are defined under `agents` in the machine that calls them; another machine's are not seen.)",
     true},
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
     R"(A timeout of no time ends every call, no tries mean that the agent is never called, and of `limits`
of nothing the first call is one too many. Leave the key out for the usual bound, or for none.)"},
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
    {"W416", "impossible-outcome", "a transition on an outcome that the activity does not have",
     R"(Each kind of activity ends in outcomes of its own: a program in `ok` or `failed`, an agent in its
verdicts, a question in its options, a machine in the outcomes of its final states. Nothing else of
this machine makes the event either.)"},
    {"W417", "guarded-outcome", "an outcome that nothing takes where a guard is false",
     R"(The one transition on it has a guard. Where that is false the outcome goes untaken, which ends the
machine as failed. Say what is to happen then, in an alternative without a guard.)"},
    {"W418", "unbounded-retry", "a state that is tried again for ever where it fails",
     R"(What failed may go on to fail, and every try of an agent costs. Count in the context and give up after
some tries, bound the time with `after`, or the whole run with `limits`.)"},
    {"W419", "parallel-writers", "regions that begin with agents which may edit",
     R"(A run has one worktree with one writer at a time: the second agent waits for the first, and then works
on files that are not as it was told. Do one after the other, or give each a worktree of its own with
`for_each` and `workspace: own`.)"},
    {"W420", "same-label", "two options of a question with one label",
     R"(Whoever is asked sees the labels and cannot tell the options apart.)"},
    {"W421", "shell-argument", "a value that is put into a shell's program",
     R"(What a model or a person wrote would become a part of the program: `; rm -rf .` is a text like any
other. An argument of its own, a variable of the environment, standard input or a file are only data.)"},
    {"W422", "ungated-merge", "a merge of what an agent did, with nothing that looks at it before",
     R"(Between an agent that may edit and the merge there is no question to a person, no agent that only
reads, and no program that checks the work. So whatever the agent did gets onto the branch.)"},
    {"W423", "unhandled-outcome", "an outcome that can come where no guard on it is true",
     R"(Several alternatives take it, all with guards, and after the events shown none of these is true. Then
the outcome goes untaken, which ends the machine as failed. Say what is to happen then, in an
alternative without a guard.)"},
    {"W424", "no-budget", "a round of agents' calls that nothing bounds",
     R"(Agents that hand work back and forth agree sooner or later, or never, and each call costs. Here no
guard counts the rounds, no timer and no person ends them, and neither the run nor the machine has
`limits`. Where guards do count, nothing is said.)"},
    {"W425", "untaken-error", "an agent's error that nothing takes, where others are taken",
     R"(A call can time out, crash, or give no usable verdict, which is `error.timeout`, `error.exit` or
`error.unparsed`. Untaken, it ends the machine as failed. A machine that takes the errors of some calls,
or some errors of a call, means to go on; a transition on `error`, in the state or around it, takes
them all.)"},
};

}  // namespace

std::span<const Rule> activity_rules() {
  return rules;
}

}  // namespace agneto
