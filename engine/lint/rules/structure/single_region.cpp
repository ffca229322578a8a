#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::StateKind;

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    for (const model::State& state : machine.states) {
      if (state.kind != StateKind::parallel) continue;
      const auto regions =
          std::count_if(state.children.begin(), state.children.end(), [&](model::StateId id) {
            const StateKind kind = machine.state(id).kind;
            return kind != StateKind::shallow_history && kind != StateKind::deep_history;
          });
      if (regions != 1) continue;
      diagnostics
          .warning(single_region.name, state.span,
                   fmt::format("'{}' is parallel and has one region alone", state.name))
          .help = "add the region that is missing, or make it a compound state with `initial`";
    }
  }
}

}  // namespace

const Check single_region = {"single-region", check};

}  // namespace agneto::lint
