// One microstep: leave, act, enter.
#include <algorithm>

#include "chart/interpreter.h"

namespace agneto::chart {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;
using model::Transition;
using model::TransitionId;

void Interpreter::microstep(MachineInstance& m, const Transitions& chosen) {
  m.faulted.clear();
  const MachineTable::Transition& first = m.table->transition(chosen.front());
  if (chosen.size() > 1 || !first.fixed || !m.table->histories.empty()) return move(m, chosen);
  if (first.domain != model::none) exit_below(m, first.domain);
  act(m, chosen.front());
  enter_fixed(m, first);
}

// The microstep as such: several transitions, history.
void Interpreter::move(MachineInstance& m, const Transitions& chosen) {
  std::vector<Move>& moves = tree_.scratch.moves;
  moves.clear();
  bool fixed = true;
  for (TransitionId t : chosen) {
    const StateId d = domain(m, t);
    if (d == model::none) continue;
    moves.push_back({d, t});
    fixed = fixed && m.table->transition(t).fixed;
  }
  // No domain lies within another, so the order of the domains is that of all the states in them.
  std::ranges::sort(moves, [](const Move& a, const Move& b) { return a.domain < b.domain; });

  remember(m, moves);
  for (auto move = moves.rbegin(); move != moves.rend(); ++move) exit_below(m, move->domain);

  for (TransitionId t : chosen) act(m, t);

  if (fixed) {
    for (const Move& move : moves) enter_fixed(m, m.table->transition(move.transition));
    return;
  }
  for (const Move& move : moves) {
    add_targets(m, m.machine().transitions[move.transition].targets, move.domain);
  }
  complete_entry_set(m);
  enter_all(m);
}

void Interpreter::enter_fixed(MachineInstance& m, const MachineTable::Transition& transition) {
  for (const Entering& e : m.table->entering(transition)) enter_state(m, e.state, e.by_default);
}

void Interpreter::note_taken(const MachineInstance& m, TransitionId t) {
  const bool named = m.event && !m.table->transition(t).eventless;
  out_.transitions.push_back({m.path, m.machine().id, t, {}});
  if (!named) return;
  Effects::Taken& taken = out_.transitions.back();
  taken.event = m.event->name;
  taken.origin = m.event->origin;
  taken.item = m.event->item;
}

void Interpreter::note_moved(const MachineInstance& m, StateId s, bool entered) {
  if (s != 0) out_.moved.push_back({m.path, m.machine().id, s, m.entries[s], entered});
}

void Interpreter::act(MachineInstance& m, TransitionId t) {
  note_taken(m, t);
  if (!m.table->transition(t).acts) return;
  const Transition& transition = m.machine().transitions[t];
  run_blocks(m, transition.actions, transition.source);
}

void Interpreter::remember(MachineInstance& m, const std::vector<Move>& moves) {
  const Machine& machine = m.machine();
  const auto is_left = [&](StateId s) {
    return m.active.has(s) && std::ranges::any_of(moves, [&](const Move& move) {
             return machine.is_descendant(s, move.domain);
           });
  };
  for (StateId h : m.table->histories) {
    const State& history = machine.state(h);
    if (!is_left(history.parent)) continue;
    std::vector<StateId> states;
    const StateId last = machine.state(history.parent).last;
    for (StateId s = m.active.next(history.parent + 1); s <= last; s = m.active.next(s + 1)) {
      const bool wanted = history.kind == StateKind::deep_history
                              ? m.table->state(s).leaf
                              : machine.state(s).parent == history.parent;
      if (wanted) states.push_back(s);
    }
    auto& all = m.change_history();
    const auto known = std::ranges::find(all, h, &Remembered::history);
    if (known != all.end()) {
      known->states = std::move(states);
    } else {
      all.push_back({h, std::move(states)});
    }
  }
}

void Interpreter::exit_below(MachineInstance& m, StateId domain) {
  StateId s = m.table->state(domain).last + 1;
  while ((s = m.active.previous(s)) != model::none && s > domain) exit_state(m, s);
}

// The machines that the state delegates to lie within it, so they end first. The state is active
// until its own blocks are done.
void Interpreter::exit_state(MachineInstance& m, StateId s) {
  const MachineTable::State& state = m.table->state(s);
  if (state.delegates) {
    while (!m.children_of(s).empty()) cancel(*m.children_of(s).back());
  }
  if (state.has_exit) run_blocks(m, m.machine().state(s).exit, s);
  if (state.starts) stop(m, s);
  note_moved(m, s, false);
  m.leave(s);
}

// Ends what the state has started.
void Interpreter::stop(MachineInstance& m, StateId s) {
  m.unstarted.remove(s);
  if (m.running.has(s)) {
    out_.effects.push_back(Cancel{m.path_of(s)});
    m.set_running(s, false);
  }
  if (m.batch_of(s)) drop_batch(m, s);
  if (!m.table->state(s).has_timers) return;
  std::erase_if(m.change_pending().timers, [&](const PendingTimer& timer) {
    if (timer.state != s) return false;
    out_.effects.push_back(Cancel{m.path_of(timer)});
    return true;
  });
}

void Interpreter::exit_all(MachineInstance& m) {
  if (!m.parent) tree_.last = configuration_of(m);
  exit_below(m, 0);
  if (m.active.has(0)) exit_state(m, 0);
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
  const MachineTable::State& entry = m.table->state(s);
  m.enter(s);
  note_moved(m, s, true);
  if (entry.plain && !by_default && m.entering.history.empty()) return;
  if (entry.starts) m.unstarted.add(s);
  if (entry.has_entry) run_blocks(m, m.machine().state(s).entry, s);
  if (by_default) run_blocks(m, m.machine().state(s).start.actions, s);
  for (StateId h : m.entering.history) {
    const State& history = m.machine().state(h);
    if (history.parent == s) run_blocks(m, history.start.actions, s);
  }
  if (entry.final) reach_final(m, s);
}

// Entering a final state completes its parent, and with it a parallel state all of whose regions
// are complete. What the final state gives back comes with the end of its parent.
void Interpreter::reach_final(MachineInstance& m, StateId final_state) {
  const Machine& machine = m.machine();
  StateId s = machine.state(final_state).parent;
  if (s == 0) {
    m.reached = final_state;
    return;
  }
  const auto done = [&](StateId state, const std::vector<model::Binding>& outputs) {
    const MachineTable::State& entry = m.table->state(state);
    if (!entry.announces) return;
    Json data;
    if (!outputs.empty()) data = outputs_of(m, outputs, final_state);
    m.internal.push({.event = {.name = "done.state." + machine.state(state).name,
                               .data = std::move(data),
                               .path = m.path_of(state)},
                     .type = entry.done});
  };
  done(s, machine.state(final_state).outputs);
  while (s != 0) {
    s = machine.state(s).parent;
    if (machine.state(s).kind != StateKind::parallel || !is_done(m, s)) return;
    done(s, {});
  }
}

bool Interpreter::is_done(const MachineInstance& m, StateId id) const {
  const Machine& machine = m.machine();
  const State& state = machine.state(id);
  const auto& children = state.children;
  if (state.kind == StateKind::compound) {
    return std::ranges::any_of(children, [&](StateId child) {
      return machine.state(child).kind == StateKind::final && m.active.has(child);
    });
  }
  if (state.kind != StateKind::parallel) return false;
  return std::ranges::all_of(children, [&](StateId child) {
    return is_history(machine.state(child)) || is_done(m, child);
  });
}

}  // namespace agneto::chart
