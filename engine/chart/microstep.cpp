// One microstep: leave, act, enter.
#include <algorithm>
#include <functional>

#include "chart/interpreter.h"

namespace agneto::chart {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;
using model::Transition;
using model::TransitionId;

void Interpreter::microstep(MachineInstance& m, const Transitions& chosen) {
  const Machine& machine = m.machine();
  std::vector<StateId>& domains = tree_.scratch.domains;
  std::vector<StateId>& exits = tree_.scratch.exits;
  domains.clear();
  exits.clear();
  m.faulted.clear();
  for (TransitionId t : chosen) {
    const StateId d = domain(m, t);
    domains.push_back(d);
    if (d == model::none) continue;
    const StateId last = machine.state(d).last;
    for (StateId s = m.now.active.next(d + 1); s <= last; s = m.now.active.next(s + 1)) {
      exits.push_back(s);
    }
  }
  std::sort(exits.begin(), exits.end(), std::greater<>());

  if (!m.table->histories.empty()) remember(m, exits);
  for (StateId s : exits) exit_state(m, s);

  for (TransitionId t : chosen) {
    const Transition& transition = machine.transitions[t];
    const auto& eventless = machine.state(transition.source).always;
    const bool named =
        m.event && std::find(eventless.begin(), eventless.end(), t) == eventless.end();
    out_.transitions.push_back({m.path, machine.id, t, named ? m.event->name : ""});
    run_blocks(m, transition.actions, transition.source);
  }

  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (domains[i] != model::none) {
      add_targets(m, machine.transitions[chosen[i]].targets, domains[i]);
    }
  }
  complete_entry_set(m);
  enter_all(m);
}

void Interpreter::remember(MachineInstance& m, const std::vector<StateId>& exits) {
  const Machine& machine = m.machine();
  for (StateId h : m.table->histories) {
    const State& history = machine.state(h);
    if (!std::binary_search(exits.begin(), exits.end(), history.parent, std::greater<>())) continue;
    std::vector<StateId> states;
    const StateId last = machine.state(history.parent).last;
    for (StateId s = m.now.active.next(history.parent + 1); s <= last;
         s = m.now.active.next(s + 1)) {
      const bool wanted = history.kind == StateKind::deep_history
                              ? m.table->leaves.has(s)
                              : machine.state(s).parent == history.parent;
      if (wanted) states.push_back(s);
    }
    const auto known = std::find_if(m.now.history.begin(), m.now.history.end(),
                                    [&](const Remembered& r) { return r.history == h; });
    if (known != m.now.history.end()) {
      known->states = std::move(states);
    } else {
      m.now.history.push_back({h, std::move(states)});
    }
  }
}

// The machine that the state delegates to lies within it, so it ends first. The state is active
// until its own blocks are done.
void Interpreter::exit_state(MachineInstance& m, StateId s) {
  if (m.child_of(s)) cancel(m, s);
  run_blocks(m, m.machine().state(s).exit, s);
  if (m.now.running.has(s)) {
    out_.effects.push_back(Cancel{m.path_of(s)});
    m.now.running.remove(s);
  }
  std::erase_if(m.now.timers, [&](const Timer& timer) {
    if (timer.state != s) return false;
    out_.effects.push_back(Cancel{m.path_of(timer)});
    return true;
  });
  if (s != 0) out_.moved.push_back({m.path_of(s), false});
  m.now.active.remove(s);
  m.unstarted.remove(s);
}

void Interpreter::exit_all(MachineInstance& m) {
  StateId s = m.machine().state(0).last + 1;
  while ((s = m.now.active.previous(s)) != model::none) exit_state(m, s);
}

void Interpreter::enter_all(MachineInstance& m) {
  EntrySet& set = m.entering;
  std::size_t defaulted = 0;
  for (StateId s = set.states.next(0); s != model::none; s = set.states.next(s + 1)) {
    set.states.remove(s);
    const bool by_default = defaulted < set.defaults.size() && set.defaults[defaulted] == s;
    if (by_default) ++defaulted;
    enter_state(m, s, by_default);
  }
  set.defaults.clear();
  set.history.clear();
}

void Interpreter::enter_state(MachineInstance& m, StateId s, bool by_default) {
  const State& state = m.machine().state(s);
  m.now.active.add(s);
  m.unstarted.add(s);
  ++m.entries[s];
  m.entered.push_back(s);
  if (s != 0) out_.moved.push_back({m.path_of(s), true});
  run_blocks(m, state.entry, s);
  if (by_default) run_blocks(m, state.start.actions, s);
  for (StateId h : m.entering.history) {
    const State& history = m.machine().state(h);
    if (history.parent == s) run_blocks(m, history.start.actions, s);
  }
  if (state.kind == StateKind::final) reach_final(m, s);
}

// Entering a final state completes its parent, and with it a parallel state all of whose regions
// are complete.
void Interpreter::reach_final(MachineInstance& m, StateId final_state) {
  const Machine& machine = m.machine();
  StateId s = machine.state(final_state).parent;
  if (s == 0) {
    m.reached = final_state;
    return;
  }
  const auto done = [&](StateId state) {
    m.internal.push_back({.event = {.name = "done.state." + machine.state(state).name,
                                    .data = {},
                                    .path = m.path_of(state)}});
  };
  done(s);
  while (s != 0) {
    s = machine.state(s).parent;
    if (machine.state(s).kind != StateKind::parallel || !is_done(m, s)) return;
    done(s);
  }
}

bool Interpreter::is_done(const MachineInstance& m, StateId id) const {
  const Machine& machine = m.machine();
  const State& state = machine.state(id);
  const auto& children = state.children;
  if (state.kind == StateKind::compound) {
    return std::any_of(children.begin(), children.end(), [&](StateId child) {
      return machine.state(child).kind == StateKind::final && m.now.active.has(child);
    });
  }
  if (state.kind != StateKind::parallel) return false;
  return std::all_of(children.begin(), children.end(), [&](StateId child) {
    return is_history(machine.state(child)) || is_done(m, child);
  });
}

void Interpreter::enter_initial(MachineInstance& m) {
  m.entering.states.add(0);
  complete_entry_set(m);
  enter_all(m);
}

}  // namespace agneto::chart
