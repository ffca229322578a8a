#include <fmt/format.h>

#include "lint/check.h"
#include "lint/reachable.h"

namespace agneto::lint {

namespace {

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    const std::vector<bool> reached = reachable(machine);
    for (const model::State& state : machine.states) {
      // What is inside an unreachable state goes without saying.
      if (reached[state.id] || !reached[state.parent]) continue;
      diagnostics
          .warning(unreachable_state.name, state.span,
                   fmt::format("'{}' is never entered", state.name))
          .help = "give a transition, or the `initial` around it, this target; or remove it";
    }
  }
}

}  // namespace

const Check unreachable_state = {"unreachable-state", check};

}  // namespace agneto::lint
