#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/check.h"
#include "lint/explore/explore.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::Transition;
using model::TransitionId;

// Events of the engine come for reasons that are not explored.
bool is_explored(const Transition& transition) {
  return std::none_of(transition.events.begin(), transition.events.end(),
                      [](const auto& event) { return event == "any" || model::is_engines(event); });
}

// Is there a guard that decides whether it is taken? Without one another rule says why it is not.
bool is_decided_by_guards(const Machine& machine, const std::vector<TransitionId>& alternatives,
                          TransitionId id) {
  const Transition& transition = machine.transitions[id];
  const auto guard_of = [&](const Transition& one) {
    return one.guard == model::none ? std::string_view() : trim(machine.code[one.guard].text);
  };
  bool guarded = transition.guard != model::none;
  for (const TransitionId other : alternatives) {
    if (other == id) break;
    const Transition& earlier = machine.transitions[other];
    const bool same_event =
        std::all_of(transition.events.begin(), transition.events.end(), [&](const auto& event) {
          return std::any_of(earlier.events.begin(), earlier.events.end(),
                             [&](const auto& taken) { return model::matches(taken, event); });
        });
    if (!same_event) continue;
    if (earlier.guard == model::none) return false;
    if (guard_of(earlier) == guard_of(transition)) return false;
    guarded = true;
  }
  return guarded;
}

// Does such an event come at all? Else it is not the guards.
bool comes(const Subject& subject, const Machine& machine, const Exploration& found,
           const Transition& transition) {
  const auto fits = [&](const std::string& event) {
    return std::any_of(transition.events.begin(), transition.events.end(),
                       [&](const auto& taken) { return model::matches(taken, event); });
  };
  return transition.events.empty() ||
         std::any_of(found.stimuli.begin(), found.stimuli.end(),
                     [&](const Stimulus& one) { return fits(one.event.name); }) ||
         std::any_of(transition.events.begin(), transition.events.end(),
                     [&](const auto& event) { return subject.raised(machine).may_be(event); });
}

void check_machine(const Subject& subject, const Machine& machine, const Exploration& found,
                   Diagnostics& diagnostics) {
  for (const State& state : machine.states) {
    if (!found.entered[state.id]) continue;
    for (const auto* alternatives : {&state.on, &state.always}) {
      for (const TransitionId id : *alternatives) {
        const Transition& transition = machine.transitions[id];
        if (found.taken[id] || !is_explored(transition)) continue;
        if (!is_decided_by_guards(machine, *alternatives, id)) continue;
        if (!comes(subject, machine, found, transition)) continue;
        diagnostics
            .warning(dead_transition.name, transition.span,
                     fmt::format("guards never let this transition of '{}' be taken", state.name))
            .help = fmt::format("all {} states of the machine with its data were explored",
                                found.configurations.size());
      }
    }
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    const Exploration& found = subject.exploration(machine);
    if (found.complete()) check_machine(subject, machine, found, diagnostics);
  }
}

}  // namespace

const Check dead_transition = {"dead-transition", check, true};

}  // namespace agneto::lint
