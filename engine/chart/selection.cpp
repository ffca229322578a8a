// Which transitions an event enables, and which of those may be taken together.
#include <algorithm>

#include "chart/interpreter.h"

namespace agneto::chart {

using model::Machine;
using model::StateId;
using model::TransitionId;

bool Interpreter::guard_holds(MachineInstance& m, TransitionId id) {
  const model::CodeId guard = m.table->transition(id).guard;
  return guard == model::none || test_guard(m, id, guard);
}

bool Interpreter::test_guard(MachineInstance& m, TransitionId id, model::CodeId guard) {
  std::optional<Fault> fault;
  InstanceScope scope(*this, m);
  const bool holds = evaluator_.test(*m.data, guard, scope, fault);
  if (!fault) return holds;
  // Nothing has changed since the last microstep, so the same error says nothing new; raising it
  // again would never end.
  if (std::ranges::find(m.faulted, id) == m.faulted.end()) {
    m.faulted.push_back(id);
    raise_fault(m, m.machine().transitions[id].source, *fault);
  }
  return false;
}

// Looks at the state's own transitions.
TransitionId Interpreter::first_enabled(MachineInstance& m, StateId id, EventClass event) {
  const auto candidates = event != no_event
                              ? m.table->taking(id, event)
                              : std::span<const TransitionId>(m.machine().state(id).always);
  for (TransitionId t : candidates) {
    if (guard_holds(m, t)) return t;
  }
  return model::none;
}

TransitionId Interpreter::first_upwards(MachineInstance& m, StateId from, EventClass event) {
  for (StateId s = from;; s = m.table->state(s).parent) {
    const TransitionId t = first_enabled(m, s, event);
    if (t != model::none || s == 0) return t;
  }
}

// As `first_upwards`, but none where an earlier leaf's walk has found the same transition.
TransitionId Interpreter::walk_up(MachineInstance& m, StateId leaf, EventClass event) {
  TransitionId found = model::none;
  TransitionId result = model::none;
  StateId s = leaf;
  for (;; s = m.table->state(s).parent) {
    if (m.walk.visited.has(s)) {
      found = m.walk.found[s];
      break;
    }
    result = found = first_enabled(m, s, event);
    m.walk.visited.add(s);
    if (found != model::none || s == 0) break;
  }
  for (StateId w = leaf; w != s; w = m.table->state(w).parent) m.walk.found[w] = found;
  m.walk.found[s] = found;
  return result;
}

void Interpreter::select(MachineInstance& m, EventClass event, Transitions& chosen) {
  chosen.clear();
  const StateSet& active = m.active;
  if (!m.table->has_parallel) {
    const StateId leaf = active.previous(m.table->state(0).last + 1);
    if (event == no_event && !m.table->state(leaf).eventless) return;
    return select_from(m, leaf, event, chosen);
  }
  Transitions& enabled = tree_.scratch.enabled;
  enabled.clear();
  m.walk.visited.clear();
  for (StateId s = active.next(0); s != model::none; s = active.next(s + 1)) {
    const MachineTable::State& state = m.table->state(s);
    if (!state.leaf || (event == no_event && !state.eventless)) continue;
    const TransitionId t = walk_up(m, s, event);
    if (t != model::none) enabled.push_back(t);
  }
  remove_conflicts(m, enabled, chosen);
}

void Interpreter::select_from(MachineInstance& m, StateId owner, EventClass event,
                              Transitions& chosen) {
  chosen.clear();
  const TransitionId t = first_upwards(m, owner, event);
  if (t != model::none) chosen.push_back(t);
}

void Interpreter::remove_conflicts(MachineInstance& m, const Transitions& enabled,
                                   Transitions& chosen) {
  if (enabled.size() < 2) {
    chosen = enabled;
    return;
  }
  const Machine& machine = m.machine();
  // Two exit sets intersect exactly where one domain is, or lies within, the other: what is active
  // below a domain always leads to an active state below the inner one.
  const auto conflict = [&](StateId a, StateId b) {
    return a != model::none && b != model::none &&
           (a == b || machine.is_descendant(a, b) || machine.is_descendant(b, a));
  };
  std::vector<StateId>& domains = tree_.scratch.domains;
  domains.clear();
  StateId covered = 0;  // the last state below any domain so far
  for (TransitionId t : enabled) {
    const StateId d = domain(m, t);
    if (d != model::none && (d <= covered || chosen.empty())) {
      const StateId source = machine.transitions[t].source;
      const auto stands = [&](std::size_t i) {
        return conflict(d, domains[i]) &&
               !machine.is_descendant(source, machine.transitions[chosen[i]].source);
      };
      bool preempted = false;
      for (std::size_t i = 0; i < chosen.size() && !preempted; ++i) preempted = stands(i);
      if (preempted) continue;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (conflict(d, domains[i])) continue;
        chosen[kept] = chosen[i];
        domains[kept++] = domains[i];
      }
      chosen.resize(kept);
      domains.resize(kept);
    }
    chosen.push_back(t);
    domains.push_back(d);
    if (d != model::none) covered = std::max(covered, machine.state(d).last);
  }
}

}  // namespace agneto::chart
