#include "chart/tables.h"

#include <algorithm>

namespace agneto::chart {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;
using model::Transition;

bool is_history(const State& state) {
  return state.kind == StateKind::shallow_history || state.kind == StateKind::deep_history;
}

StateId domain_of(const MachineTable& table, const Transition& transition,
                  const std::vector<StateId>& targets) {
  const Machine& machine = table.machine;
  const auto holds_targets = [&](StateId ancestor) {
    return std::all_of(targets.begin(), targets.end(),
                       [&](StateId t) { return machine.is_descendant(t, ancestor); });
  };
  const StateId source = transition.source;
  if (transition.internal && machine.state(source).kind == StateKind::compound &&
      holds_targets(source)) {
    return source;
  }
  StateId domain = table.scope[source];
  while (domain != 0 && !holds_targets(domain)) domain = table.scope[domain];
  return domain;
}

MachineTable::MachineTable(const Machine& m)
    : machine(m),
      leaves(m.states.size()),
      eventless(m.states.size()),
      scope(m.states.size(), 0),
      domain(m.transitions.size(), model::none) {
  for (const State& state : m.states) {
    const bool inherits = state.id != 0 && eventless.has(state.parent);
    if (inherits || !state.always.empty()) eventless.add(state.id);
    if (state.kind == StateKind::atomic || state.kind == StateKind::final) leaves.add(state.id);
    has_eventless = has_eventless || !state.always.empty();
    has_parallel = has_parallel || state.kind == StateKind::parallel;
    if (is_history(state)) histories.push_back(state.id);
    if (state.id != 0) {
      const bool compound = m.state(state.parent).kind == StateKind::compound;
      scope[state.id] = compound ? state.parent : scope[state.parent];
    }
  }
  for (std::size_t i = 0; i < m.transitions.size(); ++i) {
    const std::vector<StateId>& targets = m.transitions[i].targets;
    const bool fixed = std::none_of(targets.begin(), targets.end(),
                                    [&](StateId t) { return is_history(m.state(t)); });
    if (!targets.empty() && fixed) domain[i] = domain_of(*this, m.transitions[i], targets);
  }
}

Tables::Tables(const model::System& system) {
  tables_.reserve(system.machines.size());
  for (const Machine& machine : system.machines) tables_.emplace_back(machine);
}

}  // namespace agneto::chart
