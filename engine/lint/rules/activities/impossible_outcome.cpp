#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/check.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;

// One that takes several events may well name more than there are.
bool takes_something(const model::Transition& transition, const std::vector<model::Outcome>& all) {
  return std::any_of(
      transition.events.begin(), transition.events.end(), [&](const std::string& event) {
        return event == "any" || model::is_engines(event) ||
               std::any_of(all.begin(), all.end(), [&](const model::Outcome& outcome) {
                 return model::matches(event, outcome.name);
               });
      });
}

void check_event(const Subject& subject, const Machine& machine, const State& state,
                 const model::Transition& transition, const std::string& event,
                 const std::vector<model::Outcome>& all, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const model::Outcome& outcome : all) names.push_back(outcome.name);
  const std::string near = closest(event, names);
  // Else it may well come from outside.
  if (!model::is_engine_outcome(event) && near.empty()) return;
  // The slip of the hand is reported where the outcome is, which nothing takes.
  if (!near.empty() && takers(machine, state.id, near).empty()) return;
  if (subject.raised(machine).may_be(event)) return;
  diagnostics
      .warning(impossible_outcome.name, transition.span,
               fmt::format("'{}' does not end in '{}'", state.name, event))
      .help =
      near.empty() ? "it ends in " + join(names, ", ") : fmt::format("did you mean '{}'?", near);
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const State& state : machine.states) {
      const auto all = outcomes(state, subject.system);
      if (all.empty()) continue;
      for (const model::TransitionId id : state.on) {
        const model::Transition& transition = machine.transitions[id];
        if (takes_something(transition, all)) continue;
        for (const std::string& event : transition.events) {
          check_event(subject, machine, state, transition, event, all, diagnostics);
        }
      }
    }
  }
}

}  // namespace

const Check impossible_outcome = {"impossible-outcome", check};

}  // namespace agneto::lint
