// Where a transition leads: history, domains, and the states to enter.
#include <algorithm>

#include "chart/interpreter.h"

namespace agneto::chart {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;
using model::Transition;
using model::TransitionId;

// Replaces history states by what they remember, or by their defaults; those are noted in
// `defaults`, if given. A default may be a history state in turn.
void Interpreter::resolve(MachineInstance& m, const std::vector<StateId>& targets,
                          std::vector<StateId>& resolved, std::vector<StateId>* defaults) const {
  for (StateId target : targets) {
    const State& state = m.machine().state(target);
    if (!is_history(state)) {
      resolved.push_back(target);
      continue;
    }
    const auto remembered = std::ranges::find(m.history, target, &Remembered::history);
    if (remembered != m.history.end()) {
      resolved.insert(resolved.end(), remembered->states.begin(), remembered->states.end());
    } else {
      if (defaults) defaults->push_back(target);
      resolve(m, state.start.targets, resolved, defaults);
    }
  }
}

// None where there is no target.
StateId Interpreter::domain(MachineInstance& m, TransitionId id) {
  const Transition& transition = m.machine().transitions[id];
  const StateId known = m.table->transition(id).domain;
  if (transition.targets.empty() || known != model::none) return known;
  std::vector<StateId>& targets = tree_.scratch.targets;
  targets.clear();
  resolve(m, transition.targets, targets, nullptr);
  return domain_of(*m.table, transition, targets);
}

// Adds the targets and the states between them and `below`.
void Interpreter::add_targets(MachineInstance& m, const std::vector<StateId>& targets,
                              StateId below) {
  std::vector<StateId>& resolved = tree_.scratch.targets;
  resolved.clear();
  resolve(m, targets, resolved, &m.entering.history);
  for (StateId target : resolved) {
    for (StateId s = target; s != below && !m.entering.states.has(s);
         s = m.machine().state(s).parent) {
      m.entering.states.add(s);
    }
  }
}

// Adds the children that entered states cannot be without. What is added stands behind its parent
// in document order, so one pass meets it.
void Interpreter::complete_entry_set(MachineInstance& m) {
  StateSet& states = m.entering.states;
  for (StateId s = states.next(0); s != model::none; s = states.next(s + 1)) {
    const State& state = m.machine().state(s);
    if (state.kind == StateKind::compound && !states.any_below(s, state.last)) {
      m.entering.defaults.push_back(s);
      add_targets(m, state.start.targets, s);
    } else if (state.kind == StateKind::parallel) {
      for (StateId child : state.children) {
        if (!is_history(m.machine().state(child))) states.add(child);
      }
    }
  }
}

}  // namespace agneto::chart
