#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::Transition;

// A transition before `index` in `on` that takes every `event` whatever its data.
const Transition* taker(const Machine& machine, const model::State& state, std::size_t index,
                        const std::string& event) {
  for (std::size_t i = 0; i < index; ++i) {
    const Transition& earlier = machine.transitions[state.on[i]];
    if (earlier.guard != model::none) continue;
    for (const std::string& descriptor : earlier.events) {
      if (model::takes(state, descriptor, event)) return &earlier;
    }
  }
  return nullptr;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const model::State& state : machine.states) {
      for (std::size_t i = 0; i < state.on.size(); ++i) {
        const Transition& transition = machine.transitions[state.on[i]];
        const Transition* earlier = nullptr;
        const bool shadowed =
            !transition.events.empty() &&
            std::all_of(transition.events.begin(), transition.events.end(), [&](const auto& event) {
              earlier = taker(machine, state, i, event);
              return earlier != nullptr;
            });
        if (!shadowed) continue;
        Diagnostic& finding = diagnostics.warning(
            shadowed_transition.name, transition.span,
            fmt::format("this transition on '{}' is never taken", transition.events.back()));
        finding.help = "put it before the one that takes its event, or give that one a guard";
        finding.related.push_back({earlier->span, "its event is always taken here"});
      }
    }
  }
}

}  // namespace

const Check shadowed_transition = {"shadowed-transition", check};

}  // namespace agneto::lint
