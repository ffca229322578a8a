#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule shadowed_timer = {
    {"W221", "shadowed-timer", "a timer behind a shorter one that always leaves the state",
     R"(The timers of a state begin when it is entered and end when it is left. Where the shorter one has no
guard, the longer never comes due.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      for (const TransitionId id : state.after) {
        const Transition& later = machine.transitions[id];
        if (later.delay_code != none) continue;
        for (const TransitionId other : state.after) {
          const Transition& earlier = machine.transitions[other];
          const bool leaves =
              earlier.guard == none && !earlier.targets.empty() && !earlier.internal;
          if (earlier.delay_code != none || !leaves) continue;
          if (earlier.delay >= later.delay || earlier.wall != later.wall) continue;
          report(later.span, "'{}' is always left after {} already, so that this never happens",
                 state.name, format_duration(earlier.delay))
              .help("give the earlier one a guard, or remove this one")
              .related(earlier.span, "it is left here");
          break;
        }
      }
    }};

}  // namespace agneto::lint
