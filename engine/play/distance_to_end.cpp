#include "play/distance_to_end.h"

#include <algorithm>

namespace agneto::play {

using model::State;
using model::StateId;

DistanceToEnd::DistanceToEnd(const model::Machine& machine)
    : machine_(machine), distances_(machine.states.size(), none) {
  for (const State& state : machine.states) {
    const bool completes = state.kind == model::StateKind::final && state.parent == 0 &&
                           state.status == model::FinalStatus::complete;
    if (completes) distances_[state.id] = 0;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const State& state : machine.states) {
      const int distance = from(state.id);
      if (distance >= distances_[state.id]) continue;
      distances_[state.id] = distance;
      changed = true;
    }
  }
}

int DistanceToEnd::after(StateId state, std::string_view event) const {
  int nearest = none;
  for (StateId s = state; s != model::none; s = machine_.state(s).parent) {
    for (const model::TransitionId id : machine_.state(s).on) {
      const model::Transition& transition = machine_.transitions[id];
      const bool taken = std::any_of(transition.events.begin(), transition.events.end(),
                                     [&](const std::string& descriptor) {
                                       return model::takes(machine_.state(s), descriptor, event);
                                     });
      if (taken) nearest = std::min(nearest, through(transition));
    }
    if (nearest < none) break;  // an inner state has the first word
  }
  return nearest;
}

int DistanceToEnd::from(StateId state) const {
  int nearest = none;
  for (StateId s = state; s != model::none; s = machine_.state(s).parent) {
    for (const auto* ids :
         {&machine_.state(s).on, &machine_.state(s).always, &machine_.state(s).after}) {
      for (const model::TransitionId id : *ids) {
        nearest = std::min(nearest, through(machine_.transitions[id]));
      }
    }
  }
  return nearest;
}

int DistanceToEnd::through(const model::Transition& transition) const {
  if (transition.targets.empty()) return none;
  return std::min(none, 1 + distances_[entered(transition.targets.front())]);
}

StateId DistanceToEnd::entered(StateId state) const {
  while (!machine_.state(state).start.targets.empty()) {
    state = machine_.state(state).start.targets.front();
  }
  const auto& children = machine_.state(state).children;
  return children.empty() ? state : entered(children.front());  // a parallel state's first region
}

}  // namespace agneto::play
