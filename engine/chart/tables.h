// What can be worked out about a machine once, so that a step need not.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "chart/events.h"
#include "chart/state_set.h"
#include "model/machine.h"

namespace agneto::chart {

bool is_history(const model::State& state);

// A state that a transition enters.
struct Entering {
  model::StateId state;
  bool by_default;  // a compound whose `initial` is taken
};

// The machine must outlive it.
class MachineTable {
 public:
  explicit MachineTable(const model::Machine& machine);

  const model::Machine& machine;
  const EventClasses events;
  bool has_eventless = false;
  bool has_parallel = false;
  bool has_starting = false;              // states with timers or an activity
  std::vector<model::StateId> histories;  // in document order

  struct State {
    model::StateId parent = model::none;
    model::StateId last = model::none;
    // The nearest proper ancestor that is compound; the machine's own is the machine.
    model::StateId scope = 0;
    bool leaf = false;       // atomic or final
    bool eventless = false;  // it or an ancestor has an eventless transition
    bool starts = false;     // it has timers or an activity
    bool has_timers = false;
    bool has_entry = false;  // blocks
    bool has_exit = false;
    bool final = false;
    bool plain = false;  // entering and leaving it does no more than that
    bool delegates = false;
    bool announces = false;       // may any transition take its `done.state`?
    EventClass done = any_event;  // of that event
    std::uint32_t first_handler = 0;
    std::uint32_t handlers = 0;
  };
  const State& state(model::StateId id) const { return states_[id]; }

  // The state's own transitions that take such an event, in document order.
  std::span<const model::TransitionId> taking(model::StateId state, EventClass event) const;

  struct Transition {
    model::CodeId guard = model::none;
    // `none` where it has no target or a target is a history state.
    model::StateId domain = model::none;
    bool eventless = false;
    bool acts = false;
    // Are the states it enters always the same, and few enough to be listed?
    bool fixed = false;
    // Does it change the configuration, and nothing else?
    bool plain = false;
    std::uint32_t first_entering = 0;
    std::uint32_t entering = 0;
  };
  const Transition& transition(model::TransitionId id) const { return transitions_[id]; }

  // What a fixed transition enters, in document order.
  std::span<const Entering> entering(const Transition& transition) const {
    return {entering_.data() + transition.first_entering, transition.entering};
  }

 private:
  struct Handler {
    EventClass event;
    std::uint32_t first;  // in candidates_
    std::uint32_t count;
  };

  void list_states();
  void announce_done();
  void list_handlers(const model::State& state);
  void list_transitions();
  void list_entering(model::TransitionId id);
  void find_plain();

  std::vector<State> states_;
  std::vector<Transition> transitions_;
  std::vector<Handler> handlers_;  // a state's stand together, in order of their events
  std::vector<model::TransitionId> candidates_;
  std::vector<Entering> entering_;
};

inline std::span<const model::TransitionId> MachineTable::taking(model::StateId id,
                                                                 EventClass event) const {
  const State& state = states_[id];
  if (state.handlers == 0) return {};
  const Handler* const begin = handlers_.data() + state.first_handler;
  const Handler* const end = begin + state.handlers;
  for (;; event = events.wider(event)) {
    const Handler* found = begin;
    if (state.handlers > 8) {
      found = std::lower_bound(begin, end, event,
                               [](const Handler& h, EventClass e) { return h.event < e; });
    } else {
      while (found != end && found->event < event) ++found;
    }
    if (found != end && found->event == event) {
      return {candidates_.data() + found->first, found->count};
    }
    if (event == any_event) return {};
  }
}

// The least proper compound ancestor of the transition's source that holds all `targets` (history
// already resolved), or the source itself for an internal transition.
model::StateId domain_of(const MachineTable& table, const model::Transition& transition,
                         const std::vector<model::StateId>& targets);

}  // namespace agneto::chart
