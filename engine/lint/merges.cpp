#include "lint/merges.h"

#include <algorithm>
#include <deque>
#include <set>

#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using Kind = model::WorkspaceOperation::Kind;

// Adds the atomic states that are entered with the target.
void enter(const Machine& machine, StateId id, std::deque<StateId>& pending) {
  const State& state = machine.state(id);
  if (state.kind == StateKind::parallel) {
    for (const StateId region : state.children) enter(machine, region, pending);
  }
  for (const StateId target : state.start.targets) enter(machine, target, pending);
  if (state.children.empty()) pending.push_back(id);
}

bool takes_errors_only(const Transition& transition) {
  return !transition.events.empty() && std::ranges::all_of(transition.events, model::is_error);
}

void follow(const Machine& machine, const State& state, bool errors, std::deque<StateId>& pending) {
  for (const State* around : lineage(machine, state.id)) {
    for (const Transition* transition : transitions_of(machine, *around)) {
      if (!errors && takes_errors_only(*transition)) continue;
      if (!can_follow(machine, state.id, *transition)) continue;
      for (const StateId target : transition->targets) enter(machine, target, pending);
    }
  }
}

}  // namespace

bool may_edit(const State& state) {
  const auto* call = std::get_if<model::AgentCall>(&state.activity);
  return call && call->access != model::Access::read_only;
}

bool is_operation(const State& state, Kind kind) {
  const auto* operation = std::get_if<model::WorkspaceOperation>(&state.activity);
  return operation && operation->kind == kind;
}

const State* next_merge(const Machine& machine, const State& from,
                        const std::function<bool(const State&)>& stops) {
  std::set<StateId> seen;
  std::deque<StateId> pending;
  follow(machine, from, false, pending);
  while (!pending.empty()) {
    const State& state = machine.state(pending.front());
    pending.pop_front();
    if (!seen.insert(state.id).second || stops(state)) continue;
    if (is_operation(state, Kind::merge)) return &state;
    follow(machine, state, true, pending);
  }
  return nullptr;
}

}  // namespace agneto::lint
