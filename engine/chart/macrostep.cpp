// One event, and everything that follows from it until the machine is at rest.
#include <fmt/format.h>

#include "chart/interpreter.h"

namespace agneto::chart {

using model::StateId;
using model::TransitionId;

bool Interpreter::process(MachineInstance& m, const Event& event, StateId owner) {
  m.event = &event;
  Transitions& chosen = tree_.scratch.chosen;
  const EventClass type = m.table->events.of(event.name);
  if (owner == model::none) {
    select(m, type, chosen);
  } else {
    select_from(m, owner, type, chosen);
  }
  const bool taken = !chosen.empty();
  if (taken && hop(m, chosen)) {
    m.event = nullptr;
    return true;
  }
  const std::uint32_t entry = owner == model::none ? 0 : m.entries[owner];
  begin();
  settle(m, chosen);
  if (!taken && owner != model::none && !m.ended && m.is_current(owner, entry)) {
    m.event = &event;
    fail_unhandled(m, owner, event);
  }
  m.event = nullptr;
  return taken;
}

bool Interpreter::fire(MachineInstance& m, const PendingTimer& timer, const Event& event) {
  begin();
  m.event = &event;
  Transitions& chosen = tree_.scratch.chosen;
  chosen.clear();
  const std::vector<TransitionId>& after = m.machine().state(timer.state).after;
  for (TransitionId t : after) {
    const bool same_timer = m.machine().transitions[t].timer == after[timer.number];
    if (same_timer && guard_holds(m, t)) {
      chosen.push_back(t);
      break;
    }
  }
  const bool taken = !chosen.empty();
  settle(m, chosen);
  m.event = nullptr;
  return taken;
}

// The whole macrostep, where all it does is to change the configuration: as nothing can fail then,
// nothing is noted for a rollback.
bool Interpreter::hop(MachineInstance& m, const Transitions& chosen) {
  const MachineTable::Transition& transition = m.table->transition(chosen.front());
  if (!transition.plain || chosen.size() > 1 || !m.internal.empty()) return false;
  StateId s = m.table->state(transition.domain).last + 1;
  while ((s = m.active.previous(s)) > transition.domain && s != model::none) {
    note_moved(m, s, false);
    m.active.remove(s);
  }
  note_taken(m, chosen.front());
  for (const Entering& e : m.table->entering(transition)) {
    m.active.add(e.state);
    ++m.entries[e.state];
    note_moved(m, e.state, true);
  }
  if (m.pending.addressed > 0) commit(m);
  return true;
}

void Interpreter::settle(MachineInstance& m, Transitions& chosen) {
  int microsteps = 0;
  std::size_t internal_events = 0;
  for (;;) {
    if (!chosen.empty()) {
      if (++microsteps > max_microsteps) return livelock(m, chosen.front());
      microstep(m, chosen);
      if (m.reached != model::none) return finish(m);
    }
    chosen.clear();
    if (m.table->has_eventless) select(m, no_event, chosen);
    if (!chosen.empty()) continue;
    if (m.internal.empty()) {
      if (m.table->has_starting) start_activities(m);
      if (m.internal.empty()) break;
      commit(m);  // what has started cannot be taken back
      begin();
    }
    if (++internal_events > max_internal_events) return livelock(m, model::none);
    m.current = m.internal.pop();
    m.event = &m.current.event;
    select(m, m.current.type, chosen);
    if (!m.current.fault) continue;
    chosen.empty() ? report_fault(m.current.event) : note_caught(m.current.event);
  }
  commit(m);
}

void Interpreter::commit(MachineInstance& m) {
  m.forget_changes();
  m.data_marked = false;
  m.faulted.clear();
  m.cancelled.clear();
  if (m.pending.addressed == 0) return;
  m.pending.addressed -= std::erase_if(m.pending.queue, [&](const Queued& queued) {
    return queued.owner != model::none && !m.is_current(queued.owner, queued.entry);
  });
}

// Machines cancelled in the macrostep come back; those that it started do not exist yet.
void Interpreter::roll_back(MachineInstance& m) {
  m.take_back();
  if (m.data_marked) evaluator_.rollback(*m.data);
  m.internal.clear();
  m.unstarted.clear();
  for (auto& child : m.cancelled) {
    roll_back(*child);
    m.adopt(std::move(child));
  }
  commit(m);
}

void Interpreter::livelock(MachineInstance& m, TransitionId last) {
  roll_back(m);
  out_.effects.resize(mark_.effects);
  out_.transitions.resize(mark_.transitions);
  out_.moved.resize(mark_.moved);
  out_.problems.resize(mark_.problems);
  out_.caught.resize(mark_.caught);

  std::string message = "the machine does not come to rest: ";
  if (last == model::none) {
    message += fmt::format("more than {} internal events in one step", max_internal_events);
  } else {
    const model::Transition& transition = m.machine().transitions[last];
    message += fmt::format("more than {} microsteps in one step, the last from {}", max_microsteps,
                           m.machine().state(transition.source).name);
    if (const Span& span = transition.span) {
      message += fmt::format(" at {}:{}", span.source->path(), span.line());
    }
  }
  fail(m, "error.livelock", {{"message", std::move(message)}});
}

}  // namespace agneto::chart
