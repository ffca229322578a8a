#include <algorithm>
#include <set>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Are there items of the for_each, whatever happens?
bool surely_begins(const LintContext& context, const Machine& machine, const State& state) {
  const auto* loop = std::get_if<model::ForEach>(&state.activity);
  if (!loop) return model::delegate_of(state.activity) != nullptr;
  const Piece& items = context.piece(machine, loop->items);
  if (!items.tree) return false;
  const Node& list = expression(items);
  return list.kind == Node::Kind::table && !list.children.empty();
}

// The state that the machine begins in, if it begins in one and waits there for another machine;
// else null.
const State* delegating_start(const LintContext& context, const Machine& machine) {
  const StateId id = entered(machine, 0);
  const bool waits = id != none && surely_begins(context, machine, machine.state(id)) &&
                     std::ranges::all_of(lineage(machine, id), [](const State* around) {
                       return around->always.empty();
                     });
  return waits ? &machine.state(id) : nullptr;
}

// Adds the inputs that the guard reads; false where it reads anything else.
bool read_inputs(const Piece& piece, std::set<std::string>& inputs) {
  if (!piece.tree) return false;
  std::set<const Node*> tables;
  return !any_node(*piece.tree, [&](const Node& node) {
    if (const std::string* name = lua::field_of(node, "inputs")) {
      inputs.insert(*name);
      tables.insert(&node.children[0]);
    }
    return (node.kind == Node::Kind::global && !tables.contains(&node)) ||
           node.kind == Node::Kind::function;
  });
}

// Is that input passed on as it is?
bool is_unchanged(const Machine& machine, const model::Delegate& to, const std::string& input) {
  return std::ranges::any_of(to.with, [&](const model::Binding& one) {
    return one.name == input && trim(machine.code[one.value].text) == "inputs." + input;
  });
}

// The state to which eventless transitions lead from the machine's start, by guards that read
// inputs alone, and which delegates to the machine itself with the same inputs; else null.
const State* same_again(const LintContext& context, const Machine& machine) {
  std::set<std::string> inputs;
  std::set<StateId> seen;
  std::vector<StateId> pending = {entered(machine, 0)};
  std::vector<const State*> delegating;
  while (!pending.empty()) {
    const StateId id = pending.back();
    pending.pop_back();
    if (id == none || !seen.insert(id).second) continue;
    const State& state = machine.state(id);
    std::vector<const Transition*> eventless;
    for (const State* around : lineage(machine, id)) {
      for (const TransitionId one : around->always) {
        eventless.push_back(&machine.transitions[one]);
      }
    }
    for (const Transition* one : eventless) {
      if (one->guard != none && !read_inputs(context.piece(machine, one->guard), inputs)) {
        return nullptr;
      }
      if (one->targets.size() == 1) pending.push_back(entered(machine, one->targets.front()));
    }
    const model::Delegate* to = model::delegate_of(state.activity);
    if (eventless.empty() && to && to->machine == machine.id &&
        surely_begins(context, machine, state)) {
      delegating.push_back(&state);
    }
  }
  const auto found = std::ranges::find_if(delegating, [&](const State* state) {
    return std::ranges::all_of(inputs, [&](const std::string& input) {
      return is_unchanged(machine, *model::delegate_of(state->activity), input);
    });
  });
  return inputs.empty() || found == delegating.end() ? nullptr : *found;
}

bool is_complete_end(const State& state) {
  return state.parent == 0 && state.kind == StateKind::final &&
         state.status == model::FinalStatus::complete;
}

// Do all that it takes come from a machine that has completed?
bool takes_completion_only(const Machine& of, const Transition& transition) {
  const auto is_completion = [&](const std::string& event) {
    bool found = false;
    for (const State& state : of.states) {
      if (state.parent != 0 || state.outcome != event) continue;
      if (!is_complete_end(state)) return false;
      found = true;
    }
    return found;
  };
  return !transition.events.empty() && std::ranges::all_of(transition.events, is_completion);
}

// Can the machine come to a complete end, whatever guards say? `alone`: without one of its own that
// it delegates to and that has come to one before.
bool can_complete(const Machine& machine, bool alone) {
  std::vector<bool> seen(machine.states.size());
  std::vector<StateId> pending = {0};
  while (!pending.empty()) {
    const StateId id = pending.back();
    pending.pop_back();
    if (seen[id]) continue;
    seen[id] = true;
    const State& state = machine.state(id);
    if (is_complete_end(state)) return true;
    if (id != 0) pending.push_back(state.parent);
    pending.insert(pending.end(), state.start.targets.begin(), state.start.targets.end());
    if (state.kind == StateKind::parallel || state.is_history()) {
      const State& of = state.is_history() ? machine.state(state.parent) : state;
      pending.insert(pending.end(), of.children.begin(), of.children.end());
    }
    const auto* to = std::get_if<model::Delegate>(&state.activity);
    const bool is_same = to && to->machine == machine.id;
    for (const Transition* one : transitions_of(machine, state)) {
      if (alone && is_same && takes_completion_only(machine, *one)) continue;
      pending.insert(pending.end(), one->targets.begin(), one->targets.end());
    }
  }
  return false;
}

// The first state that delegates to the machine itself; null where none does.
const State* delegating_to_itself(const Machine& machine) {
  const auto found = std::ranges::find_if(machine.states, [&](const State& state) {
    const auto* to = std::get_if<model::Delegate>(&state.activity);
    return to && to->machine == machine.id;
  });
  return found == machine.states.end() ? nullptr : &*found;
}

}  // namespace

extern const LintRule endless_recursion = {
    {"W606", "endless-recursion", "a machine that delegates to itself for ever",
     R"(It would start itself, and that again itself, before anything else can happen. At a depth of many
machines the activity ends in `error.livelock`. A machine may delegate to itself, but something must
be able to end it before that. A guard that reads inputs does so only where one of them is not passed on
as it is: what led to the delegation once leads to it each time. And where each way to a complete end leads
through a machine of the same kind that has completed, none ever does.)"},
    [](const LintContext& context, const Reporter& report) {
      std::set<model::MachineId> reported;
      for (const Machine& machine : context.system.machines) {
        if (const State* again = same_again(context, machine)) {
          report(model::delegate_of(again->activity)->span,
                 "'{}' comes here again with the same inputs, and so on for ever", machine.name)
              .help("change what its guards read, as in depth: inputs.depth - 1");
          reported.insert(machine.id);
        }
        std::set<model::MachineId> begun;
        const Machine* at = &machine;
        const State* state = delegating_start(context, *at);
        while (state && begun.insert(at->id).second) {
          at = &context.system.machine(model::delegate_of(state->activity)->machine);
          state = delegating_start(context, *at);
        }
        if (!state || at != &machine || reported.contains(machine.id)) continue;
        reported.insert(begun.begin(), begun.end());
        state = delegating_start(context, machine);
        report(model::delegate_of(state->activity)->span,
               "'{}' begins by delegating to itself, and so on for ever", machine.name)
            .help("do something before it that can end the machine without it");
      }
      for (const Machine& machine : context.system.machines) {
        const State* state = delegating_to_itself(machine);
        if (!state || reported.contains(machine.id)) continue;
        if (can_complete(machine, true) || !can_complete(machine, false)) continue;
        report(model::delegate_of(state->activity)->span,
               "'{}' completes only where another '{}' has, so that none ever does", machine.name,
               machine.name)
            .help("give it a way to an end without this, as one for inputs.depth == 0");
      }
    }};

}  // namespace agneto::lint
