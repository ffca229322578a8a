#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// A transition before `index` in `on` that takes every `event` whatever its data.
const Transition* taker(const Machine& machine, const State& state, std::size_t index,
                        const std::string& event) {
  for (std::size_t i = first_compared(index); i < index; ++i) {
    const Transition& earlier = machine.transitions[state.on[i]];
    if (earlier.guard != none) continue;
    for (const std::string& descriptor : earlier.events) {
      if (model::takes(state, descriptor, event)) return &earlier;
    }
  }
  return nullptr;
}

}  // namespace

extern const LintRule shadowed_transition = {
    {"W214", "shadowed-transition",
     "a transition whose events one before it in the same state always takes",
     R"(The first transition in document order that takes the event and whose guard holds is chosen. One
before this has no guard and takes every event that this one takes. Put the special case first, or
give the other a guard.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      for (std::size_t i = 0; i < state.on.size(); ++i) {
        const Transition& transition = machine.transitions[state.on[i]];
        const Transition* earlier = nullptr;
        const bool shadowed = !transition.events.empty() &&
                              std::ranges::all_of(transition.events, [&](const auto& event) {
                                earlier = taker(machine, state, i, event);
                                return earlier != nullptr;
                              });
        if (!shadowed) continue;
        report(transition.span, "this transition on '{}' is never taken", transition.events.back())
            .help("put it before the one that takes its event, or give that one a guard")
            .related(earlier->span, "its event is always taken here");
      }
    }};

}  // namespace agneto::lint
