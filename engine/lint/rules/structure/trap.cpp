#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"
#include "lint/reachable.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;

bool has_way_out(const State& machine) {
  return !machine.on.empty() || !machine.always.empty() || !machine.after.empty();
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    const std::vector<bool> reached = reachable(machine);
    const std::vector<bool> ends = can_end(machine);
    const auto& children = machine.state(0).children;
    // A machine that never ends at all is the business of `never-ends`, and a state in which
    // nothing happens that of `dead-end`.
    const bool some_end = std::any_of(children.begin(), children.end(), [&](StateId id) {
      return machine.state(id).kind == StateKind::final && reached[id];
    });
    if (!some_end) continue;
    for (const State& state : machine.states) {
      if (state.id == 0 || !reached[state.id] || ends[state.id]) continue;
      if (state.kind != StateKind::atomic || !(state.has_activity() || has_way_out(state)))
        continue;
      diagnostics
          .warning(trap.name, state.span,
                   fmt::format("from '{}' on no final state can be reached", state.name))
          .help =
          "lead out of it: to a state with `final: true` directly under the machine's "
          "`states`, or to one that leads there";
      break;
    }
  }
}

}  // namespace

const Check trap = {"trap", check};

}  // namespace agneto::lint
