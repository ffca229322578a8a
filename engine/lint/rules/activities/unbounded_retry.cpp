#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

extern const LintRule unbounded_retry = {
    {"W418", "unbounded-retry", "a state that is tried again for ever where it fails",
     R"(What failed may go on to fail, and every try of an agent costs. Count in the context and give up after
some tries, bound the time with `after`, or the whole run with `limits`.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      if (context.system.main().limits.any() || machine.limits.any()) return;
      if (!state.has_activity() || is_left_in_time(machine, state.id)) return;
      if (std::holds_alternative<model::Ask>(state.activity)) return;
      for (const TransitionId id : state.on) {
        const Transition& transition = machine.transitions[id];
        const bool again = transition.guard == none && transition.targets.size() == 1 &&
                           transition.targets.front() == state.id;
        const auto fails = [&](const std::string& event) {
          if (event != "failed" && event != "any" && !model::matches("error", event)) return false;
          // Nothing with a guard before it, which may count.
          return takers(machine, state.id, event == "any" ? "error" : event).front() == id;
        };
        if (!again || std::ranges::none_of(transition.events, fails)) continue;
        report(transition.span, "'{}' is tried again for ever where it goes on to fail", state.name)
            .help(
                "count the tries in the context, and put an alternative before it: {guard: "
                "ctx.tries >= 3, target: STATE}");
        return;
      }
    }};

}  // namespace agneto::lint
