#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lint/check.h"
#include "lint/explore/explore.h"
#include "lint/explore/player.h"

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

void check_machine(const Subject& subject, const Machine& machine, Diagnostics& diagnostics) {
  const Exploration& found = subject.exploration(machine);
  if (!found.complete()) return;
  std::set<model::StateId> reported;
  for (std::uint32_t at = 0; at < found.configurations.size(); ++at) {
    const Configuration& one = found.configurations[at];
    if (!one.stuck || !one.certain || one.states.empty()) continue;
    const State& state = machine.state(one.states.front());
    if (is_said_elsewhere(machine, state) || !reported.insert(state.id).second) continue;
    diagnostics
        .warning(deadlock.name, state.span,
                 fmt::format("in '{}' the machine can stop with nothing to wait for", state.name))
        .trace = Player(subject, machine).to(found, at).trace;
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    check_machine(subject, machine, diagnostics);
  }
}

}  // namespace

const Check deadlock = {"deadlock", check, true};

}  // namespace agneto::lint
