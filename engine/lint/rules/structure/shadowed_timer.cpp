#include <fmt/format.h>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::Transition;

// Does it leave the state it is in, for certain, when its time has come?
bool leaves(const Transition& transition) {
  return transition.guard == model::none && !transition.targets.empty() && !transition.internal;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    for (const model::State& state : machine.states) {
      for (const model::TransitionId id : state.after) {
        const Transition& later = machine.transitions[id];
        if (later.delay_code != model::none) continue;
        for (const model::TransitionId other : state.after) {
          const Transition& earlier = machine.transitions[other];
          if (earlier.delay_code != model::none || !leaves(earlier)) continue;
          if (earlier.delay >= later.delay || earlier.wall != later.wall) continue;
          Diagnostic& finding = diagnostics.warning(
              shadowed_timer.name, later.span,
              fmt::format("'{}' is always left after {} already, so that this never happens",
                          state.name, format_duration(earlier.delay)));
          finding.help = "give the earlier one a guard, or remove this one";
          finding.related.push_back({earlier.span, "it is left here"});
          break;
        }
      }
    }
  }
}

}  // namespace

const Check shadowed_timer = {"shadowed-timer", check};

}  // namespace agneto::lint
