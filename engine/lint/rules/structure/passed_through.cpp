#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::State;

std::string_view unused_part(const State& state) {
  if (state.has_activity()) return "activity never starts";
  if (!state.on.empty()) return "`on` is never used";
  return state.after.empty() ? "" : "`after` is never used";
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    for (const State& state : machine.states) {
      const std::string_view part = unused_part(state);
      if (state.kind != model::StateKind::atomic || part.empty()) continue;
      const auto leaves = std::find_if(
          state.always.begin(), state.always.end(),
          [&](model::TransitionId id) { return machine.transitions[id].guard == model::none; });
      if (leaves == state.always.end()) continue;
      Diagnostic& finding = diagnostics.warning(
          passed_through.name, state.span,
          fmt::format("'{}' is left as soon as it is entered, so that its {}", state.name, part));
      finding.help = "give the transition a guard, or put it under `on`";
      finding.related.push_back({machine.transitions[*leaves].span, "it is left here"});
    }
  }
}

}  // namespace

const Check passed_through = {"passed-through", check};

}  // namespace agneto::lint
