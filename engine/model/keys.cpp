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
Shape some(Shape shape) {
  shape.empty_allowed = false;
  return shape;
}
Shape names(std::string_view noun, Shapes elements, Form key = Form::name) {
  return {.form = Form::names, .key = key, .noun = noun, .elements = std::move(elements)};
}
Shape object(ConstructId id) {
  return {.form = Form::object, .construct = id};
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
const Shape file = scalar(Form::file);
const Shape type = scalar(Form::type);

const Shapes blocks = {scalar(Form::statements), some(list({scalar(Form::statements)}))};
const Shapes references = {reference, some(list({reference}))};
const Shapes start = {reference, some(list({reference})), object(ConstructId::start)};
const Shape access = choice({"read-only", "edit", "full"});
const Shape need = choice({"none", "optional", "required"});

// A target, a transition, or alternatives tried in order.
Shapes transitions(ConstructId id) {
  return {reference, object(id), some(list({reference, object(id)}))};
}

const Key target_key = {"target", references, false,
                        "The state to enter; several where they are in different regions"};
const Key guard_key = {"guard", {expression}, false, "Taken only if this is true"};
const Key do_key = {"do", blocks, false, "What runs between leaving and entering"};
const Key internal_key = {"internal",
                          {boolean},
                          false,
                          "Does not leave the compound source, as every target is inside it"};
const Key wall_key = {"wall", {boolean}, false, "The timer runs on while the run is suspended"};
const Key description_key = {"description", {text}, false, "For people"};
const Key on_key = {"on",
                    {names("event", transitions(ConstructId::transition), Form::event),
                     list({object(ConstructId::event_transition)})},
                    false,
                    "Transitions by event"};
const Key always_key = {"always", transitions(ConstructId::transition), false,
                        "Transitions that need no event"};
const Key after_key = {"after",
                       {names("delay", transitions(ConstructId::timer_transition), Form::delay),
                        list({object(ConstructId::delay_transition)})},
                       false,
                       "Transitions taken when a time has passed in this state"};
const Key entry_key = {"entry", blocks, false, "What runs when the state is entered"};
const Key exit_key = {"exit", blocks, false, "What runs when the state is left"};
const Key states_key = {"states",
                        {some(names("state", {object(ConstructId::state)}, Form::state))},
                        false,
                        "The states inside"};
const Key initial_key = {"initial", start, false, "The state to begin in"};

const std::vector<Stranger> transition_strangers = {{"cond", "write `guard`"},
                                                    {"if", "write `guard`"},
                                                    {"when", "write `guard`"},
                                                    {"actions", "write `do`"},
                                                    {"to", "write `target`"}};

Key required(Key key) {
  key.required = true;
  return key;
}

// In the order of ConstructId.
std::array<Construct, 22> make_constructs() {
  return {{
      {"machine",
       "a machine",
       {{"agneto", {integer}, true, "The version of the language: 1"},
        {"name", {name}, true, "What the machine is called"},
        description_key,
        {"inputs",
         {names("input", {type, object(ConstructId::input)})},
         false,
         "What the machine is given when it starts"},
        {"context",
         {names("context entry", {scalar(Form::literal), object(ConstructId::context_entry)})},
         false,
         "The machine's own data, as `ctx` in Lua"},
        {"agents",
         {names("agent", {object(ConstructId::agent)})},
         false,
         "The roles that it calls"},
        {"limits",
         {object(ConstructId::limits)},
         false,
         "What the machine may use, with those it delegates to; each is an event, and suspends the "
         "run where the machine does not take it"},
        required(initial_key),
        on_key,
        always_key,
        after_key,
        entry_key,
        exit_key,
        required(states_key),
        {"outputs",
         {names("output", {expression})},
         false,
         "What the machine gives back at its end"},
        {"invariants",
         {some(list({object(ConstructId::invariant)}))},
         false,
         "What is so in every run; lint proves it, and a run does not look at it"}}},
      {"input",
       "an input",
       {{"type", {type}, true, "The input's type"},
        {"main", {boolean}, false, "Filled by TASK on the command line"},
        {"default", {scalar(Form::literal)}, false, "The value where none is given"},
        {"minimum", {scalar(Form::number)}, false, "The least number that is accepted"},
        description_key}},
      {"context_entry",
       "a context entry",
       {{"type", {type}, true, "The entry's type"},
        {"default", {scalar(Form::literal)}, false, "The value at the start"},
        {"init", {expression}, false, "The value at the start, computed from the inputs"},
        description_key}},
      {"agent",
       "an agent",
       {{"hooks", {file}, true, "The Lua module that renders prompts and reads replies"},
        {"access", {access}, false, "What the agent may touch; read-only unless said"},
        {"session",
         {reference},
         false,
         "How long its conversation lives: fresh, machine, run, or the name of a state"},
        {"timeout", {duration}, false, "The longest a call may take; 30m unless said"},
        {"idle", {duration}, false, "The longest silence with no tool at work; 5m unless said"},
        {"tries", {integer}, false, "How often a failing call is tried; 3 unless said"},
        description_key}},
      {"limits",
       "the limits",
       {{"calls", {integer}, false, "Calls to agents"},
        {"cost", {scalar(Form::number)}, false, "US dollars"},
        {"tokens", {scalar(Form::number)}, false, "Tokens that agents read and write"},
        {"time", {duration}, false, "Time that the run is not suspended"}}},
      {"invariant",
       "an invariant",
       {{"never", {expression}, false, "What is false whenever the machine is at rest"},
        {"always_eventually",
         {expression},
         false,
         "What can still become true as long as the machine runs"},
        description_key}},
      {"state",
       "a state",
       {description_key,
        {"agent", {reference, object(ConstructId::agent_call)}, false, "Calls an agent"},
        {"ask", {object(ConstructId::ask)}, false, "Asks a person"},
        {"machine", {file}, false, "Delegates to the machine in this file"},
        {"with", {names("input", {expression})}, false, "The inputs of the machine delegated to"},
        {"for_each",
         {object(ConstructId::for_each)},
         false,
         "Delegates to a machine for each item of a list"},
        {"run", {object(ConstructId::run)}, false, "Runs a program in the workspace"},
        {"workspace", {object(ConstructId::workspace)}, false, "The engine's own git operations"},
        entry_key,
        exit_key,
        on_key,
        always_key,
        after_key,
        initial_key,
        {"parallel", {boolean}, false, "The states inside are regions, all active at once"},
        states_key,
        {"final",
         {boolean},
         false,
         "Entering it ends the machine, or the compound state around it"},
        {"outcome", {name}, false, "What the machine ends in; the state's name unless said"},
        {"status",
         {choice({"complete", "failed", "aborted"})},
         false,
         "How the machine ends; complete unless said"},
        {"history",
         {choice({"shallow", "deep"})},
         false,
         "Entering it enters what was active in the state around it"},
        {"default", start, false, "Where a history state leads the first time"}},
       {{"type",
         "a state says what it is by `final: true`, `parallel: true` or `history: shallow`"},
        {"transitions", "write transitions under `on`, `always` or `after`"},
        {"onentry", "write `entry`"},
        {"onexit", "write `exit`"},
        {"invoke", "write `agent`, `ask`, `machine`, `for_each`, `run` or `workspace`"}}},
      {"start",
       "a start",
       {{"target", references, true,
         "The state to enter; several where they are in different regions"},
        do_key}},
      {"transition",
       "a transition",
       {target_key, guard_key, do_key, internal_key, description_key},
       transition_strangers},
      {"event_transition",
       "a transition",
       {{"event", {event_name, some(list({event_name}))}, true, "The events that it takes"},
        target_key,
        guard_key,
        do_key,
        internal_key,
        description_key},
       transition_strangers},
      {"timer_transition",
       "a transition",
       {target_key, guard_key, do_key, internal_key, wall_key, description_key},
       transition_strangers},
      {"delay_transition",
       "a transition",
       {{"delay", {scalar(Form::delay)}, true, "A duration, or Lua that gives one"},
        target_key,
        guard_key,
        do_key,
        internal_key,
        wall_key,
        description_key},
       transition_strangers},
      {"agent_call",
       "an agent's call",
       {{"name", {reference}, true, "The agent"},
        {"task", {name}, false, "Which of the hook module's tasks"},
        {"access", {access}, false, "Narrows what the agent may touch"},
        {"verdicts",
         {names("verdict", {names("field", {type})})},
         false,
         "What it may answer, each with its fields"}}},
      {"ask",
       "a question",
       {{"question", {templ}, true, "What is asked"},
        {"show", {expression}, false, "The material to judge"},
        {"options",
         {some(names("option", {templ, object(ConstructId::option)}))},
         false,
         "The answers to choose from; each is an event"},
        {"default", {reference}, false, "The option taken where nobody can be asked"},
        {"text", {need}, false, "Asks for words instead of an option; the event is `answered`"}}},
      {"option",
       "an option",
       {{"label", {templ}, true, "What the person reads"},
        {"when", {expression}, false, "Offered only if this is true"},
        {"feedback", {need}, false, "Words with the choice, as event.feedback"},
        {"edit", {expression}, false, "A text to edit; comes back as event.edited"}}},
      {"for_each",
       "a for_each",
       {{"items", {expression}, true, "The list, as Lua"},
        {"as", {name}, false, "What `with` calls the item; item unless said"},
        {"machine", {file}, true, "Delegates each item to the machine in this file"},
        {"with",
         {names("input", {expression})},
         false,
         "The inputs of an item's machine, from `item` and its number, `index`"},
        {"max_parallel", {integer}, false, "How many items run at a time; 0, all, unless said"},
        {"join",
         {choice({"all", "any"}), object(ConstructId::quorum)},
         false,
         "How many items must complete; all unless said"},
        {"on_item_failure",
         {choice({"stop", "continue"})},
         false,
         "Whether an item that fails ends the others; it does where all must complete"},
        {"workspace",
         {choice({"shared", "own"})},
         false,
         "Whether each item works in a worktree of its own; shared unless said"}},
       {{"in", "write `items`"},
        {"each", "write `items`"},
        {"do", "write `machine`, and what each item goes through in that file"}}},
      {"quorum", "a quorum", {{"quorum", {integer}, true, "How many items must complete"}}},
      {"run",
       "a program to run",
       {{"argv", {some(list({templ}))}, false, "The program and its arguments, none of them split"},
        {"shell", {text}, false, "Shell text; values reach it by `env` only"},
        {"command", {expression}, false, "Lua that gives a command line the user configured"},
        {"env", {names("variable", {expression})}, false, "Environment variables"},
        {"timeout", {duration}, false, "The longest it may take; 10m unless said"},
        {"once", {boolean}, false, "Cut off, it is not run again but ends in error.interrupted"},
        {"access",
         {choice({"read-only", "edit"})},
         false,
         "read-only: what it changes in the worktree is taken back; edit unless said"}}},
      {"workspace",
       "a workspace operation",
       {{"commit", {object(ConstructId::commit)}, false, "Commits everything in the worktree"},
        {"merge", {object(ConstructId::merge)}, false, "Merges the run's branch"},
        {"discard", {object(ConstructId::discard)}, false, "Throws away what is not committed"}}},
      {"commit", "a commit", {{"message", {templ}, true, "The commit's message"}}},
      {"merge",
       "a merge",
       {{"message", {templ}, false, "The merge's commit message"},
        {"squash", {boolean}, false, "One commit for the whole branch; true unless said"},
        {"into", {templ}, false, "The branch to merge into; the run's base unless said"}}},
      {"discard", "a discard", {{"to", {choice({"last_commit"})}, true, "What to go back to"}}},
  }};
}

}  // namespace

const Construct& construct(ConstructId id) {
  static const std::array<Construct, 22> constructs = make_constructs();
  return constructs.at(static_cast<std::size_t>(id));
}

const Key* find_key(const Construct& construct, std::string_view name) {
  const auto key = std::find_if(construct.keys.begin(), construct.keys.end(),
                                [&](const Key& candidate) { return candidate.name == name; });
  return key == construct.keys.end() ? nullptr : &*key;
}

}  // namespace agneto::model
