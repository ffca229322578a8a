// What can be wrong in a machine's file, so that it cannot be run, and what is seen while it is
// read. Findings refer to these rules; lint/catalogue.h lists the rules of all folders.
#pragma once

#include "base/rule.h"

namespace agneto::rules {

inline constexpr Rule version = {
    "E120", "version", "a version of the language that this program does not know",
    R"(`agneto: 1` says how the rest of the file is to be read. Nothing else is said about a file of a
newer version; install an Agneto that knows it.)"};
inline constexpr Rule missing_key = {
    "E122", "missing-key", "something without a key that it needs",
    R"(The message says what the key is for. A compound state needs `initial`, a history state a
`default`, and a context entry that is neither optional nor `any` a value to start with.)"};
inline constexpr Rule no_value = {
    "E123", "no-value", "a key with nothing behind it",
    R"(A key without a value has no meaning: give it one, or remove the key. An empty list of targets or
options, and Lua that is only a comment, are the same mistake.)"};
inline constexpr Rule wrong_kind = {
    "E124", "wrong-kind", "a value of another kind than its key takes",
    R"(The message says what the key takes: text, a number, a duration such as `10m`, a list, a map of
certain keys, one of a few words. Numbers and `true` where text is expected must be quoted.)"};
inline constexpr Rule bad_name = {
    "E125", "bad-name", "a word that cannot name what it stands for",
    R"(Names begin with a letter or `_` and go on with letters, digits, `_` and `-`; events, agents and
inputs may have dots. States have none, so that `done.state.NAME` can be read. Every event is taken
by `any`, and all that begin with `error.` by `error`; there is no `*`.)",
    true};
inline constexpr Rule key_out_of_place = {
    "E126", "key-out-of-place", "a key that this kind of state does not have",
    R"(A state is atomic, compound, parallel, final or a history, and each kind has its own keys. Only an
atomic state has an activity; a final state goes on nowhere; a history state only leads elsewhere.)"};
inline constexpr Rule one_of = {
    "E127", "one-of", "none or several of keys of which there must be one",
    R"(These keys are alternatives: `argv`, `shell` and `command` of a program to run; `commit`, `merge`
and `discard` of a workspace operation; `default` and `init` of a context entry. Keep one.)"};
inline constexpr Rule unknown_agent = {
    "W134", "unknown-agent", "an agent in the configuration that no workflow has",
    R"(What `agents` in `.agneto/config.yaml` says of it goes for nobody, so that the agent which was meant
works with another model. Looked at are the workflow that is run or linted, with the machines that it
delegates to, and all that are found by name: the team's, your own, and those that come with Agneto. A
run says it, too, and goes on.)",
    true};
inline constexpr Rule unknown_workflow = {
    "W451", "unknown-workflow", "a workflow in the configuration that there is not",
    R"(What `workflows` in `.agneto/config.yaml` says of it goes for no agent. A workflow is called here as
its own `name` says. Looked at are those for `unknown-agent`. A run says it, too, and goes on.)",
    true};
inline constexpr Rule bad_schedule = {
    "E465", "bad-schedule", "a schedule in the configuration that cannot be kept",
    R"(`agneto serve` begins runs by itself as `schedules` in `.agneto/config.yaml` say. Nobody sits there
to be told that a time is none, that there is no such workflow, or that it takes other inputs, so lint
says it.)"};
inline constexpr Rule duplicate_state = {
    "E201", "duplicate-state", "two states of one name in a file",
    R"(A target names a state wherever it is in the file, so that names are unique in the whole of it,
not only among neighbours. Rename one of them.)"};
inline constexpr Rule bad_region = {
    "E202", "bad-region", "a region of a parallel state that is final",
    R"(All regions of a parallel state are entered at once, and a region that is final from the start does
nothing. Put the final state into a region: that ends the region, and when all have ended,
`done.state.PARALLEL` follows.)"};
inline constexpr Rule undefined_target = {
    "E203", "undefined-target", "a target that names no state of the file",
    R"(A transition, an `initial` or a `default` leads to a state of the same file. States of another
machine are not reached by name: delegate to it with `machine: FILE`.)",
    true};
inline constexpr Rule bad_targets = {
    "E204", "bad-targets", "targets that cannot be entered together, or from there",
    R"(Several targets must be in different regions of a parallel state, or they could not be active at
once. An `initial` names a state inside, and the `default` of a history a state of the compound that
it is in.)"};
inline constexpr Rule endless = {
    "E205", "endless", "an eventless transition that is taken for ever",
    R"(A transition under `always` needs no event. Without a guard and without a target it would be taken
again and again. Give it a target or a guard; what is to be done once belongs into `entry`.)"};
inline constexpr Rule never_tried = {
    "E206", "never-tried", "an alternative behind one that is always taken",
    R"(The alternatives in a list are tried in order, and one without a guard always fits, so that it may
only be the last. To enter several states at once write `{target: [A, B]}`.)"};
inline constexpr Rule bad_internal = {
    "W207", "bad-internal", "an `internal` that has no effect",
    R"(An internal transition does not leave its source, which makes a difference only where the source is
compound and every target inside it. Elsewhere the word promises what does not happen.)"};
inline constexpr Rule bad_type = {
    "E301", "bad-type", "a type that does not exist or is not finished",
    R"(Types are `string`, `integer`, `number`, `boolean`, `list`, `map`, `any`, `[string]` (a list of)
and `enum [a, b]` (a choice); a `?` behind one allows null. Within `{ }` a type with brackets or a
`?` must be quoted.)"};
inline constexpr Rule two_main_inputs = {
    "E303", "two-main-inputs", "a second input that is `main`",
    R"(The words on the command line fill one input, the one marked `main`. The others are given with
`--input NAME=VALUE`.)"};
inline constexpr Rule bad_main_input = {
    "E304", "bad-main-input", "a main input that is not text",
    R"(The words on the command line are text, so that the input which they fill is a `string`.)"};
inline constexpr Rule bad_template = {
    "E305", "bad-template", "an expression in a template that is not closed, or empty",
    R"(In a question, a label, an argument or a commit message `{{` begins a Lua expression and `}}` ends
it. For the braces themselves write `{{"{{"}}`.)"};
inline constexpr Rule two_activities = {
    "E401", "two-activities", "a state with more than one activity",
    R"(An atomic state does one thing, and its end is an event that leads on. Make two states of it: one
after the other, or, if both are to happen at once, two regions of a parallel state.)"};
inline constexpr Rule undefined_agent = {
    "E402", "undefined-agent", "a call of an agent that the file does not define",
    R"(Agents are defined under `agents` in the machine that calls them; another machine's are not seen.)",
    true};
inline constexpr Rule wider_access = {
    "E403", "wider-access", "a state that gives an agent more than its own access",
    R"(What a role may touch is said where it is defined, so that one look there is enough. A state may
only narrow it: `read-only` is less than `edit`, and `edit` less than `full`.)"};
inline constexpr Rule bad_question = {
    "E404", "bad-question", "a question that nobody can answer, or not in one way",
    R"(A question has `options` to choose from, or takes words with `text`. Its default is taken where
nobody can be asked, so that it cannot require feedback.)"};
inline constexpr Rule needs_worktree = {
    "E405", "needs-worktree", "a workflow with `workspace: none` that cannot do without a worktree",
    R"(`workspace: none` says that runs work in your checkout itself. There nothing can be undone, so that
agents that may edit, git operations, and items with worktrees of their own have no place in such a
workflow, nor in what it delegates to. Leave `workspace: none` out, or give the agents
`access: read-only`.)"};
inline constexpr Rule undefined_option = {
    "E406", "undefined-option", "a default that is none of the question's options",
    R"(Where nobody can be asked, a question takes its `default`, which names one of its options.)"};
inline constexpr Rule reserved_name = {
    "E407", "reserved-name", "a verdict, option, outcome or item named like something else",
    R"(`any`, `abort`, and what begins with `error`, `limit` or `done.state` are events of the engine: a
transition on such a name could not know which of the two it takes. The name of an item must not hide
what Lua knows already.)"};
inline constexpr Rule bad_limit = {
    "E408", "bad-limit", "a limit that lets nothing happen",
    R"(A timeout of no time ends every call, no tries mean that nothing is ever tried, and of `limits`
of nothing the first call is one too many. Leave the key out for the usual bound, or for none.)"};
inline constexpr Rule undefined_session = {
    "E409", "undefined-session", "a conversation that lives in a state that does not exist",
    R"(`session` is `fresh`, `machine`, `run`, or the name of a state: then the conversation lives as long
as that state is active.)"};
inline constexpr Rule outside_session = {
    "E410", "outside-session",
    "a call outside of the state in which the agent's conversation lives",
    R"(An agent whose `session` names a state can only be called inside that state: elsewhere there is no
conversation to go on with. Move the call, or choose another `session`.)"};
inline constexpr Rule spliced_shell = {
    "E411", "spliced-shell", "a `{{` in shell text, which stays as it is",
    R"(Values are never put into shell text: what a model or a person wrote would become a part of the
program. Pass them by `env` and write `"$NAME"`, or use `argv`, of which each entry is one argument.)"};
inline constexpr Rule joined_commands = {
    "W448", "joined-commands", "commands of a shell that YAML joins into one line",
    R"(Behind `>`, and in a text over several lines, YAML joins the lines to one, so that the second command
becomes an argument of the first: `set -e npm test` tests nothing, and ends well. Write a script behind
`|`, which keeps its lines. One command that goes on over several lines is right behind `>`.)"};
inline constexpr Rule folded_prompt = {
    "W464", "folded-prompt", "lines of a prompt that YAML joins into one",
    R"(Behind `>`, and in a text over several lines, YAML joins the lines to one. What is a list, a heading or
a table where it is written is then a part of a sentence, and the agent is told something else than
what one reads in the file. Write the prompt behind `|`, which keeps its lines. Paragraphs are right
behind `>`.)",
    true};
inline constexpr Rule bad_quorum = {
    "E412", "bad-quorum", "a quorum of no items",
    R"(A `for_each` with a quorum of 0 would be done before it began. Say how many items must complete, or
write `join: all`.)"};
inline constexpr Rule mcp_server = {
    "E459", "mcp-server", "an MCP server that cannot be reached as it is written",
    R"(A server of the Model Context Protocol is a program that the agent's CLI starts, with variables of
its `env`; or it is at an address, and requests carry its `headers`.)"};
inline constexpr Rule literal_setting = {
    "W449", "literal-setting", "a `{{` in how an agent is reached, which stays as it is",
    R"(With which provider and model an agent works, and what its program is given, is the same in every
call of a state, so that it can be checked before a run begins. It is taken as it is written. What
changes from call to call belongs into the agent's prompt; another model for another job into another
state: `agent: {name: coder, model: haiku}`.)"};
inline constexpr Rule hooks = {
    "E415", "hooks", "a hook module that cannot be loaded or lacks what is called",
    R"(A prompt is Markdown with Lua expressions between `{{` and `}}`. A hook module is a Lua file that
returns a table with `prompt` and, if it reads the reply itself, `parse`; or `tasks`, a table of such
tables, where the role does several jobs. The message says what is missing, or what Lua said when the
module was loaded.)"};
inline constexpr Rule undefined_verdicts = {
    "E461", "undefined-verdicts", "a set of verdicts that the file does not define",
    R"(Sets of verdicts that several calls share are defined under `verdicts` at the top of the machine that
makes these calls; another machine's are not seen.)",
    true};
inline constexpr Rule bad_retry = {
    "E462", "bad-retry", "a retry of what cannot happen, or cannot turn out otherwise",
    R"(`on` of a `retry` names what the world makes fail and may not the next time: `error.timeout`,
`error.exit`, `error.spawn`, of an agent also `error.unparsed` and errors of its provider, of a program also
`failed`. An error of the workflow's own Lua is the same each time, and a verdict is no failure: where that
leads back is said by a transition. A program that may run but `once` is not tried again.)"};
inline constexpr Rule bad_path = {
    "E463", "bad-path", "a program's folder, or an agent's file, that is not below the worktree",
    R"(What a run does is done in its worktree, so that it can be seen, merged and undone. `cwd` and `files` are
paths below it, and lead to no other place.)"};
inline constexpr Rule lua_lines_joined = {
    "E502", "lua-lines-joined", "a Lua comment that swallows the lines behind it",
    R"(Behind `>`, and in a text over several lines, YAML joins the lines to one, so that everything after
a `--` becomes a part of the comment. Write the Lua behind `|`, which keeps its lines.)"};
inline constexpr Rule missing_file = {
    "E601", "missing-file", "a file that is not there or cannot be read",
    R"(Paths are relative to the file that they are written in, not to the folder in which the program is
started.)"};
inline constexpr Rule outside_root = {
    "E602", "outside-root", "a path that leaves the workflow's folder",
    R"(A workflow loads files of its own folder, or of the folder around it where its own is called
`workflows`: so a run can record everything it consists of, and copying the folder copies the
workflow.)"};
inline constexpr Rule missing_input = {
    "E603", "missing-input", "a machine that is not given an input it needs",
    R"(A machine that is delegated to sees only what `with` passes, and must be given every input that has
no default and whose type does not allow null.)"};
inline constexpr Rule unknown_input = {
    "E604", "unknown-input", "a value for an input that the machine does not have",
    R"(The value would be lost in silence. The message shows the input that was probably meant.)"};

inline constexpr Rule no_base = {
    "E611", "no-base", "a workflow to extend that is not there, or is the file itself",
    R"(`extends: NAME` names a workflow that comes with Agneto, `extends: FOLDER/FILE.yaml` a file, from the
file that says it. The files that extend each other are at most 100, and none of them is there twice.)"};
inline constexpr Rule extension = {
    "E612", "extension", "a change of what the extended workflow does not have",
    R"(A file that extends another says what is different. What it removes must be there, and a state that
it adds must be led to: else the other file has changed since, or a name is misspelt, and the change
would be lost in silence. A state is changed in one place, a map changes a map, and a list takes the
place of a list.)"};

inline constexpr Rule package = {
    "E614", "package", "a package that is not here, or not what agneto.lock says",
    R"(`NAME/FILE` names a file of the package NAME, which `agneto add` has brought into `packages` of the
workflow's folder. `agneto.lock` beside it says what was brought; each time a workflow is loaded it is
compared with what is there, so that nobody's agents do by accident what nobody has looked at. A file
beside the one that names it goes by its path alone, and no folder there is called like a package.)"};
}  // namespace agneto::rules
