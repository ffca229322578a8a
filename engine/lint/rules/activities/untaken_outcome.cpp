#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;

// Descriptors of the state and those around it, innermost first.
std::vector<std::string> descriptors(const Machine& machine, StateId state) {
  std::vector<std::string> result;
  for (StateId id = state; id != model::none; id = machine.state(id).parent) {
    for (const model::TransitionId transition : machine.state(id).on) {
      const auto& events = machine.transitions[transition].events;
      result.insert(result.end(), events.begin(), events.end());
    }
  }
  return result;
}

void check_state(const Machine& machine, const State& state, const model::System& system,
                 Diagnostics& diagnostics) {
  const auto all = outcomes(state, system);
  if (all.empty()) return;
  const std::vector<std::string> taken = descriptors(machine, state.id);
  for (const model::Outcome& outcome : all) {
    const bool is_taken = std::any_of(taken.begin(), taken.end(), [&](const std::string& event) {
      return model::matches(event, outcome.name);
    });
    if (is_taken) continue;
    Diagnostic& finding = diagnostics.warning(
        untaken_outcome.name, outcome.span,
        fmt::format("no transition of '{}' or around it takes the {} '{}', which fails the machine",
                    state.name, outcome.what, outcome.name));
    const std::string near = closest(outcome.name, taken);
    finding.help = near.empty() ? fmt::format("add a transition: on: {{{}: STATE}}", outcome.name)
                                : fmt::format("a transition takes '{}'; did you mean '{}'?", near,
                                              outcome.name);
    if (outcome.related) finding.related.push_back({outcome.related, "it comes from here"});
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const State& state : machine.states)
      check_state(machine, state, subject.system, diagnostics);
  }
}

}  // namespace

const Check untaken_outcome = {"untaken-outcome", check};

}  // namespace agneto::lint
