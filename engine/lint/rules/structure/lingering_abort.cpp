#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule lingering_abort = {
    {"W241", "lingering-abort", "an `abort` that leads to a person or an agent",
     R"(Where the machine has not ended ten seconds after `abort`, the run is ended all the same. No question is
answered and no agent has done its work by then, so that what comes behind it never happens. A short
clean-up fits into that time.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      for (const Transition& transition : machine.transitions) {
        const bool aborts = std::ranges::count(transition.events, "abort") > 0;
        if (!aborts || transition.targets.size() != 1) continue;
        const StateId target = entered(machine, transition.targets.front());
        if (target == none) continue;
        const State& state = machine.state(target);
        const bool asks = std::holds_alternative<model::Ask>(state.activity);
        if (!asks && !std::holds_alternative<model::AgentCall>(state.activity)) continue;
        report(transition.span, "the run is ended ten seconds after 'abort', and '{}' {}",
               state.name, asks ? "asks a person" : "calls an agent")
            .help("lead to a final state, or to a clean-up that takes less");
      }
    }};

}  // namespace agneto::lint
