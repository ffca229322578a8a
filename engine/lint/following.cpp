#include "lint/following.h"

#include <algorithm>

namespace agneto::lint {

using model::Machine;
using model::none;
using model::State;
using model::StateId;
using model::StateKind;
using model::Transition;

namespace {

// Does the state around come to its end with `inner`? A parallel state does, with other regions.
bool ends_in(const Machine& machine, StateId inner, StateId around) {
  const State& state = machine.state(inner);
  if (state.kind != StateKind::final) return false;
  const StateId parent = state.parent;
  return parent == around || (machine.state(around).kind == StateKind::parallel &&
                              machine.state(parent).parent == around);
}

bool takes_always(const Machine& machine, StateId state, const std::string& event) {
  const auto& on = machine.state(state).on;
  return std::any_of(on.begin(), on.end(), [&](model::TransitionId id) {
    const Transition& transition = machine.transitions[id];
    return transition.guard == none &&
           std::any_of(transition.events.begin(), transition.events.end(),
                       [&](const std::string& one) { return model::matches(one, event); });
  });
}

}  // namespace

bool can_follow(const Machine& machine, StateId inner, const Transition& transition) {
  if (transition.source == inner || transition.events.empty()) return true;
  const std::string done = "done.state." + machine.state(transition.source).name;
  return std::any_of(
      transition.events.begin(), transition.events.end(), [&](const std::string& event) {
        const bool waits_for_end = event == done && !ends_in(machine, inner, transition.source);
        if (waits_for_end) return false;
        for (StateId s = inner; s != transition.source; s = machine.state(s).parent) {
          if (takes_always(machine, s, event)) return false;
        }
        return true;
      });
}

}  // namespace agneto::lint
