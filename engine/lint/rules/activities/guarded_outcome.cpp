#include <fmt/format.h>

#include "base/text.h"
#include "lint/check.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;

// An option that is offered under the condition of its transition.
bool is_same_condition(const Machine& machine, const State& state, const model::Outcome& outcome,
                       model::CodeId guard) {
  const auto* ask = std::get_if<model::Ask>(&state.activity);
  if (!ask) return false;
  for (const model::Option& option : ask->options) {
    if (option.name == outcome.name && option.when != model::none &&
        trim(machine.code[option.when].text) == trim(machine.code[guard].text)) {
      return true;
    }
  }
  return false;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const State& state : machine.states) {
      for (const model::Outcome& outcome : outcomes(state, subject.system)) {
        const auto taking = takers(machine, state.id, outcome.name);
        // Several guards may complete each other.
        if (taking.size() != 1) continue;
        const model::Transition& transition = machine.transitions[taking.front()];
        if (transition.guard == model::none) continue;
        if (is_same_condition(machine, state, outcome, transition.guard)) continue;
        Diagnostic& finding = diagnostics.warning(
            guarded_outcome.name, machine.code[transition.guard].span,
            fmt::format("where this is false, nothing takes the {} '{}' of '{}', which fails the "
                        "machine",
                        outcome.what, outcome.name, state.name));
        finding.help = "add an alternative without a guard behind it";
      }
    }
  }
}

}  // namespace

const Check guarded_outcome = {"guarded-outcome", check};

}  // namespace agneto::lint
