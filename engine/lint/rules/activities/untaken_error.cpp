#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;

bool takes_errors(const Machine& machine, const State& state) {
  return !takers(machine, state.id, "error").empty();
}

// A transition of the state or around it that takes some errors: on `error.timeout`.
const model::Transition* taker_of_some(const Machine& machine, const State& state) {
  for (model::StateId id = state.id; id != model::none; id = machine.state(id).parent) {
    for (const model::TransitionId transition : machine.state(id).on) {
      const auto& events = machine.transitions[transition].events;
      const bool takes = std::any_of(events.begin(), events.end(), [](const std::string& event) {
        return event.starts_with("error.");
      });
      if (takes) return &machine.transitions[transition];
    }
  }
  return nullptr;
}

// Where no state cares, errors are meant to end the machine.
void check_machine(const Machine& machine, Diagnostics& diagnostics) {
  std::vector<const State*> untaken;
  const State* example = nullptr;
  for (const State& state : machine.states) {
    if (!std::holds_alternative<model::AgentCall>(state.activity)) continue;
    if (!takes_errors(machine, state)) {
      untaken.push_back(&state);
    } else if (!example) {
      example = &state;
    }
  }
  for (const State* state : untaken) {
    const model::Transition* some = taker_of_some(machine, *state);
    if (!some && !example) continue;
    Diagnostic& finding = diagnostics.warning(
        untaken_error.name, state->span,
        fmt::format("no transition of '{}' or around it takes {} of its agent, which fails the "
                    "machine",
                    state->name, some ? "every error" : "an error"));
    finding.help = "add a transition: on: {error: STATE}";
    if (some) {
      finding.related.push_back({some->span, "this takes some"});
    } else {
      finding.related.push_back({example->span, "those of this state's agent are taken"});
    }
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) check_machine(machine, diagnostics);
}

}  // namespace

const Check untaken_error = {"untaken-error", check};

}  // namespace agneto::lint
