#include <algorithm>

#include "lint/rule.h"

namespace agneto::lint {

namespace {

std::string_view unused_part(const State& state) {
  if (state.has_activity()) return "activity never starts";
  if (!state.on.empty()) return "`on` is never used";
  return state.after.empty() ? "" : "`after` is never used";
}

}  // namespace

extern const LintRule passed_through = {
    {"W217", "passed-through", "a state that is left before anything in it can happen",
     R"(Eventless transitions come before everything else: a state with one that has no guard is left as soon
as it is entered. Its activity never starts, its timers never run, and it takes no event. Give the
transition a guard, or put it under `on`.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      const std::string_view part = unused_part(state);
      if (state.kind != StateKind::atomic || part.empty()) return;
      const auto leaves = std::ranges::find_if(
          state.always, [&](TransitionId id) { return machine.transitions[id].guard == none; });
      if (leaves == state.always.end()) return;
      report(state.span, "'{}' is left as soon as it is entered, so that its {}", state.name, part)
          .help("give the transition a guard, or put it under `on`")
          .related(machine.transitions[*leaves].span, "it is left here");
    }};

}  // namespace agneto::lint
