#include <fmt/format.h>

#include <set>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;

// The state that the machine begins in, if it begins in one and waits there for another machine;
// else null.
const State* delegating_start(const Machine& machine) {
  StateId id = 0;
  while (machine.state(id).kind == StateKind::compound) {
    const State& state = machine.state(id);
    if (!state.always.empty() || state.start.targets.size() != 1) return nullptr;
    id = state.start.targets.front();
  }
  const State& state = machine.state(id);
  const bool delegates = std::holds_alternative<model::Delegate>(state.activity);
  return delegates && state.always.empty() ? &state : nullptr;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  std::set<model::MachineId> reported;
  for (const Machine& machine : subject.system.machines) {
    std::set<model::MachineId> begun;
    const Machine* at = &machine;
    const State* state = delegating_start(*at);
    while (state && begun.insert(at->id).second) {
      at = &subject.system.machine(std::get<model::Delegate>(state->activity).machine);
      state = delegating_start(*at);
    }
    if (!state || at != &machine || reported.contains(machine.id)) continue;
    reported.insert(begun.begin(), begun.end());
    state = delegating_start(machine);
    diagnostics
        .warning(
            endless_recursion.name, std::get<model::Delegate>(state->activity).span,
            fmt::format("'{}' begins by delegating to itself, and so on for ever", machine.name))
        .help = "do something before it that can end the machine without it";
  }
}

}  // namespace

const Check endless_recursion = {"endless-recursion", check};

}  // namespace agneto::lint
