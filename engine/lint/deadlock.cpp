#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/check.h"
#include "lint/explore.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;

// Outside of parallel states simpler rules say why nothing happens in a state.
bool is_said_elsewhere(const Machine& machine, const State& state) {
  for (model::StateId id = state.parent; id != model::none; id = machine.state(id).parent) {
    if (machine.state(id).kind == model::StateKind::parallel) return false;
  }
  return state.kind == model::StateKind::final || state.always.size() <= 1;
}

void check_machine(const Machine& machine, const Exploration& found, Diagnostics& diagnostics) {
  for (const Exploration::Deadlock& one : found.deadlocks) {
    const State& state = machine.state(one.state);
    if (is_said_elsewhere(machine, state)) continue;
    Diagnostic& finding = diagnostics.warning(
        deadlock.name, state.span,
        fmt::format("in '{}' the machine can stop with nothing to wait for", state.name));
    finding.help = one.events.empty() ? "it stops there at once"
                                      : "agneto simulate --shallow shows it, given the events " +
                                            join(one.events, ", ");
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    const Exploration& found = subject.exploration(machine);
    if (found.complete) check_machine(machine, found, diagnostics);
  }
}

}  // namespace

const Check deadlock = {"deadlock", check};

}  // namespace agneto::lint
