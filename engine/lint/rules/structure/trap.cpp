#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule trap = {
    {"W224", "trap", "a state from which no final state can be reached",
     R"(Taking every guard to be true and every event but `abort` to come, nothing leads from there to an end
of the machine: once in it, a run goes on until somebody aborts it. Where there are several
such states, the first is shown.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      // `never-ends` speaks of a machine that never ends at all, and `dead-end` of a state in which
      // nothing happens.
      if (ends(machine).empty()) return;
      const std::vector<bool> reached = reachable(machine);
      const std::vector<bool> leads_out = can_end(machine);
      for (const State& state : machine.states) {
        if (state.kind != StateKind::atomic || !reached[state.id] || leads_out[state.id]) continue;
        if (!state.has_activity() && transitions_of(machine, state).empty()) continue;
        report(state.span, "from '{}' on no final state can be reached", state.name)
            .help(
                "lead out of it: to a state with `final: true` directly under the machine's "
                "`states`, or to one that leads there");
        return;
      }
    }};

}  // namespace agneto::lint
