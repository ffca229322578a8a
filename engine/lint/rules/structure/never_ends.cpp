#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"
#include "lint/reachable.h"

namespace agneto::lint {

namespace {

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    const std::vector<bool> reached = reachable(machine);
    const auto& children = machine.state(0).children;
    const bool ends = std::any_of(children.begin(), children.end(), [&](model::StateId id) {
      return machine.state(id).kind == model::StateKind::final && reached[id];
    });
    if (ends) continue;
    diagnostics
        .warning(never_ends.name, machine.state(0).span,
                 fmt::format("the machine '{}' reaches no final state, so that it never ends",
                             machine.name))
        .help = "lead to a state with `final: true` directly under the machine's `states`";
  }
}

}  // namespace

const Check never_ends = {"never-ends", check};

}  // namespace agneto::lint
