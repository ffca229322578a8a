#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule unreachable_state = {
    {"W210", "unreachable-state", "a state that no transition and no start leads to",
     R"(Taking every guard to be true and every event to come, nothing leads there. Give a transition or
the `initial` around it this target, or remove the state. What is inside it is not listed again.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      const std::vector<bool> reached = reachable(machine);
      for (const State& state : machine.states) {
        // A state inside of an unreachable one is not listed again.
        if (reached[state.id] || !reached[state.parent]) continue;
        report(state.span, "'{}' is never entered", state.name)
            .help("give a transition, or the `initial` around it, this target; or remove it");
      }
    }};

}  // namespace agneto::lint
