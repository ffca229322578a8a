#include "lint/merges.h"

#include <algorithm>
#include <deque>
#include <set>

#include "lint/transitions.h"

namespace agneto::lint {

namespace {

const State* found_among(const model::System& system, model::MachineId machine,
                         const std::function<bool(const State&)>& fits,
                         std::set<model::MachineId>& seen) {
  if (!seen.insert(machine).second) return nullptr;
  for (const State& state : system.machine(machine).states) {
    if (fits(state)) return &state;
    const auto* each = std::get_if<model::ForEach>(&state.activity);
    const auto* delegate = each ? &each->each : std::get_if<model::Delegate>(&state.activity);
    if (!delegate || (each && each->own_workspace)) continue;
    if (const State* inner = found_among(system, delegate->machine, fits, seen)) return inner;
  }
  return nullptr;
}

// May what the state does leave a change in the worktree?
bool may_change(const State& state) {
  return may_change_files(state) || std::holds_alternative<model::Delegate>(state.activity) ||
         std::holds_alternative<model::ForEach>(state.activity);
}

// May something be changed when the transition leads out of the state, which was entered changed or
// not?
bool leaves_changed(const State& state, const Transition& transition, bool changed) {
  const bool by_itself = transition.events.empty();  // cut off by a timer, or before it began
  const auto only = [&](std::string_view event) {
    return std::ranges::all_of(transition.events, [&](const auto& one) { return one == event; });
  };
  if (const auto* operation = std::get_if<model::WorkspaceOperation>(&state.activity)) {
    const bool done =
        !by_itself && only("ok") && operation->kind != model::WorkspaceOperation::Kind::merge;
    return changed && !done;
  }
  // What a call that is cut off has changed is undone.
  if (may_edit(state)) return changed || !by_itself;
  const bool waits = !state.has_activity() && !by_itself;
  return changed || waits || may_change(state) ||
         std::holds_alternative<model::Ask>(state.activity);
}

}  // namespace

bool may_edit(const State& state) {
  const auto* call = std::get_if<model::AgentCall>(&state.activity);
  return call && call->access != model::Access::read_only;
}

bool may_change_files(const State& state) {
  const auto* program = std::get_if<model::Program>(&state.activity);
  return may_edit(state) || (program && program->access != model::Access::read_only);
}

bool is_operation(const State& state, model::WorkspaceOperation::Kind kind) {
  const auto* operation = std::get_if<model::WorkspaceOperation>(&state.activity);
  return operation && operation->kind == kind;
}

bool is_merge(const State& state) {
  return is_operation(state, model::WorkspaceOperation::Kind::merge);
}

bool is_run(const LintContext& context, const Machine& machine) {
  return &context.system.main() == &machine &&
         (machine.inputs.empty() || std::ranges::any_of(machine.inputs, &model::Variable::main));
}

std::vector<bool> entered_unchanged(const Machine& machine, bool begins_unchanged) {
  std::vector<bool> nothing(machine.states.size(), false);
  if (std::ranges::any_of(machine.states, [](const State& state) {
        return state.kind == StateKind::parallel || state.is_history();
      })) {
    return nothing;
  }
  enum class Entered { never, unchanged, changed };
  std::vector<Entered> entries(machine.states.size(), Entered::never);
  std::deque<StateId> left;
  bool certain = true;
  const auto enter = [&](StateId target, bool changed) {
    if (machine.state(target).kind == StateKind::final) return;
    const StateId inner = entered(machine, target);
    if (inner == none) {
      certain = false;
      return;
    }
    const Entered now = changed ? Entered::changed : Entered::unchanged;
    if (entries[inner] >= now) return;
    entries[inner] = now;
    left.push_back(inner);
  };
  enter(0, !begins_unchanged);
  while (!left.empty() && certain) {
    const State& state = machine.state(left.front());
    left.pop_front();
    for (const State* around : lineage(machine, state.id)) {
      for (const Transition* one : transitions_of(machine, *around)) {
        const bool changed = leaves_changed(state, *one, entries[state.id] == Entered::changed);
        for (const StateId target : one->targets) enter(target, changed);
      }
    }
  }
  if (!certain) return nothing;
  std::vector<bool> unchanged(machine.states.size(), false);
  for (std::size_t id = 0; id < entries.size(); ++id) {
    unchanged[id] = entries[id] == Entered::unchanged;
  }
  return unchanged;
}

const State* found_in(const model::System& system, model::MachineId machine,
                      const std::function<bool(const State&)>& fits) {
  std::set<model::MachineId> seen;
  return found_among(system, machine, fits, seen);
}

}  // namespace agneto::lint
