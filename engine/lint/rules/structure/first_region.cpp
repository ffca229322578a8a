#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

bool is_region_that_ends(const Machine& machine, StateId region) {
  return std::ranges::any_of(machine.state(region).children, [&](StateId child) {
    return machine.state(child).kind == StateKind::final;
  });
}

}  // namespace

extern const LintRule first_region = {
    {"W243", "first-region", "a `done` of a parallel state that takes the end of its first region",
     R"(An event's name in `on` takes those that begin with it: `done` takes the `done.state.REGION` of each
region, too, so that the parallel state is left when the first of them ends, and what the others do is
cut off. All have ended with `done.state.NAME` of the parallel state itself.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      if (state.kind != StateKind::parallel) return;
      const auto region = std::ranges::find_if(
          state.children, [&](StateId child) { return is_region_that_ends(machine, child); });
      if (state.children.size() < 2 || region == state.children.end()) return;
      for (const TransitionId id : state.on) {
        const Transition& transition = machine.transitions[id];
        const bool takes_all = std::ranges::any_of(transition.events, [](const std::string& event) {
          return event == "done" || event == "done.state";
        });
        if (!takes_all || transition.guard != none || transition.targets.empty()) continue;
        report(transition.span,
               "this takes `done.state.{}`, too, when the others are still at work",
               machine.state(*region).name)
            .help("write done.state.{}, which comes when all of them have ended", state.name);
      }
    }};

}  // namespace agneto::lint
