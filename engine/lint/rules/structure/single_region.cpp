#include <algorithm>

#include "chart/tables.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule single_region = {
    {"W222", "single-region", "a parallel state with one region",
     R"(A parallel state is for what goes on at once. With one region it is a compound state that is hard to
read, or the other region is missing.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      if (state.kind != StateKind::parallel) return;
      const auto regions = std::ranges::count_if(
          state.children, [&](StateId id) { return !chart::is_history(machine.state(id)); });
      if (regions != 1) return;
      report(state.span, "'{}' is parallel and has one region alone", state.name)
          .help("add the region that is missing, or make it a compound state with `initial`");
    }};

}  // namespace agneto::lint
