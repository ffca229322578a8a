#include "model/keys.h"

#include <algorithm>
#include <array>

namespace agneto::model {

namespace {

using Form = Shape::Form;
using Shapes = std::vector<Shape>;

Shape scalar(Form form) {
  return {.form = form};
}
Shape choice(std::vector<std::string_view> choices) {
  return {.form = Form::choice, .choices = std::move(choices)};
}
Shape list(Shapes elements) {
  return {.form = Form::list, .elements = std::move(elements)};
}
Shape list(std::string_view example, Shapes elements) {
  return {.form = Form::list, .elements = std::move(elements), .example = example};
}
Shape some(Shape shape) {
  shape.empty_allowed = false;
  return shape;
}
Shape names(std::string_view noun, std::string_view example, Shapes elements,
            Form key = Form::name) {
  return {.form = Form::names,
          .key = key,
          .noun = noun,
          .elements = std::move(elements),
          .example = example};
}
Shape object(ConstructId id) {
  return {.form = Form::object, .construct = id};
}

Key key(std::string_view name, Shapes shapes, std::string_view description) {
  return {name, std::move(shapes), false, description};
}
Key required(Key key) {
  key.required = true;
  return key;
}
Key required(std::string_view name, Shapes shapes, std::string_view description) {
  return {name, std::move(shapes), true, description};
}

const Shape text = scalar(Form::text);
const Shape templ = scalar(Form::templ);
const Shape expression = scalar(Form::expression);
const Shape name = scalar(Form::name);
const Shape reference = scalar(Form::reference);
const Shape event_name = scalar(Form::event);
const Shape duration = scalar(Form::duration);
const Shape boolean = scalar(Form::boolean);
const Shape integer = scalar(Form::integer);
const Shape count = scalar(Form::count);
const Shape file = scalar(Form::file);
const Shape type = scalar(Form::type);

const Shapes blocks = {scalar(Form::statements), some(list({scalar(Form::statements)}))};
const Shapes references = {reference, some(list({reference}))};
const Shape fields = names("field", "{reason: string}", {type, object(ConstructId::verdict_field)});
const Shapes verdicts = {names("verdict", "{GOOD: {}, BAD: {reason: string}}", {fields})};
const Shapes start = {reference, some(list({reference})), object(ConstructId::start)};
const Shapes outputs = {names("output", "{summary: ctx.summary}", {expression})};
const Shape access = choice({"read-only", "edit", "full"});
const Shape need = choice({"none", "optional", "required"});

// A target, a transition, or alternatives tried in order.
Shapes transitions(ConstructId id) {
  return {reference, object(id), some(list({reference, object(id)}))};
}

const Key target_key =
    key("target", references, "The state to enter; several where they are in different regions");
const Key guard_key = key("guard", {expression}, "Taken only if this is true");
const Key do_key = key("do", blocks, "What runs between leaving and entering");
const Key internal_key =
    key("internal", {boolean}, "Does not leave the compound source, as every target is inside it");
const Key wall_key =
    key("wall", {boolean},
        "Of a state that asks: the timer runs on while the run is suspended, as the timers of all "
        "other states do");
const Key description_key = key("description", {text}, "For people");
const Key on_key =
    key("on",
        {names("event", "{EVENT: STATE}", transitions(ConstructId::transition), Form::event),
         list({object(ConstructId::event_transition)})},
        "Transitions by event");
const Key always_key =
    key("always", transitions(ConstructId::transition), "Transitions that need no event");
const Key after_key =
    key("after",
        {names("delay", "{10m: STATE}", transitions(ConstructId::timer_transition), Form::delay),
         list({object(ConstructId::delay_transition)})},
        "Transitions taken when a time has passed in this state");
const Key files_key =
    key("files", {some(list("[docs/style.md, 'src/**/*.h']", {templ}))},
        "Files of the worktree that a call is given with its prompt: paths, with * and **");
const Key retry_key = key("retry", {object(ConstructId::retry)},
                          "How often it is tried where the world makes it fail");
const Key entry_key = key("entry", blocks, "What runs when the state is entered");
const Key exit_key = key("exit", blocks, "What runs when the state is left");
const Key states_key = key("states",
                           {some(names("state", "{WORKING: {agent: coder}, DONE: {final: true}}",
                                       {object(ConstructId::state)}, Form::state))},
                           "The states inside");
const Key initial_key = key("initial", start, "The state to begin in");

// How an agent is reached, behind what else is said of it.
std::vector<Key> with_settings(std::vector<Key> keys) {
  const Shapes variables = {names("variable", "{LOG_LEVEL: debug}", {text})};
  const std::vector<Key> settings = {
      key("provider", {text}, "Which provider it has: claude, codex, …; the team's unless said"),
      key("model", {text}, "The model, as its provider calls it"),
      key("effort", {text}, "How much it is to think, as its provider calls it"),
      key("instructions", {text}, "What it is told in every prompt besides"),
      key("tools", {list("[WebSearch]", {text})},
          "What it may use besides what its access allows, as its provider calls it"),
      key("args", {list("[--max-turns, \"5\"]", {text})},
          "Arguments that its provider's program is given besides"),
      key("env", variables, "Environment variables of its provider's program"),
      key("mcp",
          {names("MCP server", "{github: {command: [github-mcp-server, stdio]}}",
                 {object(ConstructId::mcp_server)})},
          "The MCP servers whose tools it may use")};
  keys.insert(keys.end(), settings.begin(), settings.end());
  return keys;
}

constexpr std::size_t construct_count = static_cast<std::size_t>(ConstructId::mcp_server) + 1;

// The rows stand in the order of ConstructId.
std::array<Construct, construct_count> make_constructs() {
  return {{
      {"machine",
       "a machine",
       {required("agneto", {integer}, "The version of the language: 1"),
        key("extends", {file},
            "The workflow that this one changes: one that comes with Agneto, by its "
            "name, or a file"),
        required("name", {name}, "What the machine is called"),
        description_key,
        key("inputs", {names("input", "{task: string}", {type, object(ConstructId::input)})},
            "What the machine is given when it starts"),
        key("context",
            {names("context entry", "{rounds: 0}",
                   {scalar(Form::literal), object(ConstructId::context_entry)})},
            "The machine's own data, as `ctx` in Lua"),
        key("agents", {names("agent", "{coder: {hooks: coder.lua}}", {object(ConstructId::agent)})},
            "The roles that it calls"),
        key("verdicts",
            {names("set of verdicts", "{review: {GOOD: {}, BAD: {reason: string}}}", verdicts)},
            "Sets of verdicts by name, for calls that may be answered alike"),
        key("functions",
            {names("function", "{is_small: function(diff) return #diff < 1000 end}", {expression})},
            "Lua functions that all Lua of this file can call; they see what they are given"),
        key("limits", {object(ConstructId::limits)},
            "What the machine may use, with those it delegates to; each is an event, and suspends "
            "the run where the machine does not take it"),
        required(initial_key),
        on_key,
        always_key,
        after_key,
        entry_key,
        exit_key,
        required(states_key),
        key("outputs", outputs, "What the machine gives back at its end"),
        key("invariants",
            {some(list("[{never: ctx.rounds > 3}]", {object(ConstructId::invariant)}))},
            "What is so in every run; lint proves it, and a run does not look at it"),
        key("workspace", {choice({"none"})},
            "`none`: a run of the workflow works in your checkout itself, and has no worktree")}},
      {"input",
       "an input",
       {required("type", {type}, "The input's type"),
        key("main", {boolean}, "Filled by TASK on the command line"),
        key("default", {scalar(Form::literal)}, "The value where none is given"),
        key("minimum", {scalar(Form::number)}, "The least number that is accepted"),
        key("maximum", {scalar(Form::number)}, "The greatest number that is accepted"),
        description_key}},
      {"context_entry",
       "a context entry",
       {required("type", {type}, "The entry's type"),
        key("default", {scalar(Form::literal)}, "The value at the start"),
        key("init", {expression}, "The value at the start, computed from the inputs"),
        description_key}},
      {"agent", "an agent",
       with_settings(
           {key("extends", {reference},
                "The agent that this one is like, but for what is said here"),
            key("prompt", {file},
                "What the agent is told, with {{…}} in it: a Markdown file, or the text itself"),
            key("hooks", {file}, "Instead: the Lua module that renders prompts and reads replies"),
            key("access", {access}, "What the agent may touch; read-only unless said"),
            key("session", {reference},
                "How long its conversation lives: fresh, machine, run, or the name of a state"),
            key("timeout", {duration}, "The longest a call may take; 30m unless said"),
            key("idle", {duration}, "The longest silence with no tool at work; 5m unless said"),
            key("tries", {integer},
                "How often a failing call is tried, as `tries` of `retry`; 3 unless said"),
            retry_key, files_key, description_key}),
       "{prompt: coder.md}"},
      {"retry",
       "a retry",
       {key("tries", {integer}, "How often it is tried, the first time included; 3 unless said"),
        key("backoff", {duration},
            "How long is waited before the second try, and twice as long before each one more; 1s "
            "unless said"),
        key("max", {duration}, "The longest that is waited; 30s unless said"),
        key("on", {event_name, some(list({event_name}))},
            "What is tried again: error.timeout, error.exit, …; of a program also failed")},
       "{tries: 3, backoff: 10s}"},
      {"verdict_field", "a field", {required("type", {type}, "The field's type"), description_key}},
      {"limits",
       "the limits",
       {key("calls", {integer}, "Calls to agents"),
        key("cost", {scalar(Form::number)}, "US dollars"),
        key("tokens", {scalar(Form::number)}, "Tokens that agents read and write"),
        key("time", {duration}, "Time that the run is not suspended")},
       "{calls: 30, cost: 5}"},
      {"invariant",
       "an invariant",
       {key("never", {expression}, "What is false whenever the machine is at rest"),
        key("always_eventually", {expression},
            "What can still become true as long as the machine runs"),
        key("after", {expression}, "With `eventually`: what is followed by that"),
        key("eventually", {expression},
            "What becomes true, then or later, whenever `after` has been true"),
        description_key}},
      {"state",
       "a state",
       {description_key,
        key("agent", {reference, object(ConstructId::agent_call)}, "Calls an agent"),
        key("ask", {object(ConstructId::ask)}, "Asks a person"),
        key("machine", {file}, "Delegates to the machine in this file"),
        key("with", {names("input", "{task: ctx.task}", {expression})},
            "The inputs of the machine delegated to"),
        key("for_each", {object(ConstructId::for_each)},
            "Delegates to a machine for each item of a list"),
        key("run", {object(ConstructId::run)}, "Runs a program in the workspace"),
        key("workspace", {object(ConstructId::workspace)}, "The engine's own git operations"),
        entry_key,
        exit_key,
        on_key,
        always_key,
        after_key,
        initial_key,
        key("parallel", {boolean}, "The states inside are regions, all active at once"),
        states_key,
        key("final", {boolean}, "Entering it ends the machine, or the compound state around it"),
        key("outcome", {name}, "What the machine ends in; the state's name unless said"),
        key("status", {choice({"complete", "failed", "aborted"})},
            "How the machine ends; complete unless said"),
        key("outputs", outputs,
            "What the event of its end has: of the machine, beside the machine's own, or of the "
            "compound state around it"),
        key("history", {choice({"shallow", "deep"})},
            "Entering it enters what was active in the state around it"),
        key("default", start, "Where a history state leads the first time")}},
      {"start",
       "a start",
       {required("target", references,
                 "The state to enter; several where they are in different regions"),
        do_key}},
      {"transition",
       "a transition",
       {target_key, guard_key, do_key, internal_key, description_key}},
      {"event_transition",
       "a transition",
       {required("event", {event_name, some(list({event_name}))}, "The events that it takes"),
        target_key, guard_key, do_key, internal_key, description_key}},
      {"timer_transition",
       "a transition",
       {target_key, guard_key, do_key, internal_key, wall_key, description_key}},
      {"delay_transition",
       "a transition",
       {required("delay", {scalar(Form::delay)}, "A duration, or Lua that gives one"), target_key,
        guard_key, do_key, internal_key, wall_key, description_key}},
      {"agent_call", "an agent's call",
       with_settings({required("name", {reference}, "The agent"),
                      key("task", {name}, "Which of the hook module's tasks"),
                      key("access", {access}, "Narrows what the agent may touch"),
                      key("verdicts", {reference, verdicts.front()},
                          "What it may answer, each with its fields; or the name of a set of them"),
                      retry_key, files_key})},
      {"ask",
       "a question",
       {required("question", {templ}, "What is asked"),
        key("show", {expression}, "The material to judge"),
        key("options",
            {some(names("option", "{MERGE: Merge it, STOP: Leave it}",
                        {templ, object(ConstructId::option)}))},
            "The answers to choose from; each is an event"),
        key("default", {reference}, "The option taken where nobody can be asked"),
        key("text", {need}, "Asks for words instead of an option; the event is `answered`")},
       "{question: Merge it, options: {MERGE: Merge it, STOP: Leave it}}"},
      {"option",
       "an option",
       {required("label", {templ}, "What the person reads"),
        key("when", {expression}, "Offered only if this is true"),
        key("feedback", {need}, "Words with the choice, as event.feedback"),
        key("edit", {expression}, "A text to edit; comes back as event.edited")}},
      {"for_each",
       "a for_each",
       {required("items", {expression}, "The list, as Lua"),
        key("as", {name}, "What `with` calls the item; item unless said"),
        required("machine", {file}, "Delegates each item to the machine in this file"),
        key("with", {names("input", "{task: ctx.task}", {expression})},
            "The inputs of an item's machine, from `item` and its number, `index`"),
        key("max_parallel", {count}, "How many items run at a time; 0, all, unless said"),
        key("join", {choice({"all", "any"}), object(ConstructId::quorum)},
            "How many items must complete; all unless said"),
        key("on_item_failure", {choice({"stop", "continue"})},
            "Whether an item that fails ends the others; it does where all must complete"),
        key("workspace", {choice({"shared", "own"})},
            "Whether each item works in a worktree of its own; shared unless said")},
       "{items: ctx.parts, machine: part.yaml}"},
      {"quorum",
       "a quorum",
       {required("quorum", {count}, "How many items must complete")},
       "{quorum: 2}"},
      {"run",
       "a program to run",
       {key("argv", {some(list("[make, test]", {templ}))},
            "The program and its arguments, none of them split"),
        key("shell", {text}, "Shell text; values reach it by `env` only"),
        key("command", {expression}, "Lua that gives a command line the user configured"),
        key("env", {names("variable", "{TASK: ctx.task}", {expression})}, "Environment variables"),
        key("cwd", {templ}, "The folder that it runs in, below the worktree"),
        key("timeout", {duration}, "The longest a try may take; 10m unless said"), retry_key,
        key("once", {boolean}, "Cut off, it is not run again but ends in error.interrupted"),
        key("access", {choice({"read-only", "edit"})},
            "read-only: what it changes in the worktree is taken back; edit unless said")},
       "{argv: [make, test]}"},
      {"workspace",
       "a workspace operation",
       {key("commit", {object(ConstructId::commit)}, "Commits everything in the worktree"),
        key("merge", {object(ConstructId::merge)}, "Merges the run's branch"),
        key("discard", {object(ConstructId::discard)}, "Throws away what is not committed")},
       "{commit: {message: What was done}}"},
      {"commit",
       "a commit",
       {required("message", {templ}, "The commit's message")},
       "{message: What was done}"},
      {"merge",
       "a merge",
       {key("message", {templ}, "The merge's commit message; as the task begins unless said"),
        key("squash", {boolean}, "One commit for the whole branch; true unless said"),
        key("into", {templ}, "The branch to merge into; the run's base unless said")}},
      {"discard",
       "a discard",
       {required("to", {choice({"last_commit"})}, "What to go back to")},
       "{to: last_commit}"},
      {"mcp_server",
       "an MCP server",
       {key("command", {some(list("[github-mcp-server, stdio]", {text}))},
            "The program that is started, and its arguments"),
        key("env", {names("variable", "{LOG_LEVEL: debug}", {text})},
            "Environment variables of that program"),
        key("url", {text}, "Instead: the address at which it is"),
        key("headers", {names("header", "{X-Team: web}", {text})},
            "What requests to that address carry besides")},
       "{command: [github-mcp-server, stdio]}"},
  }};
}

}  // namespace

const Shape& fields_shape() {
  return fields;
}

const Construct& construct(ConstructId id) {
  static const std::array<Construct, construct_count> constructs = [] {
    std::array<Construct, construct_count> all = make_constructs();
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].foreign_keys = foreign_keys(static_cast<ConstructId>(i));
    }
    return all;
  }();
  return constructs.at(static_cast<std::size_t>(id));
}

const Key* find_key(const Construct& construct, std::string_view name) {
  const auto key = std::find_if(construct.keys.begin(), construct.keys.end(),
                                [&](const Key& candidate) { return candidate.name == name; });
  return key == construct.keys.end() ? nullptr : &*key;
}

}  // namespace agneto::model
