#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule dead_end = {
    {"W211", "dead-end", "a state that is not final, without an activity and without a transition",
     R"(Nothing happens in such a state, so that a machine which gets there waits until the run is
suspended. Add `final: true` if the machine ends there, or what it is to do or to wait for.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      // Entry blocks may raise an event that is taken further out.
      const bool does_nothing = state.kind == StateKind::atomic && !state.has_activity() &&
                                transitions_of(machine, state).empty() && state.entry.empty();
      if (!does_nothing || is_in_parallel(machine, state.id)) return;
      report(state.span, "nothing happens in '{}', and no transition of its own leaves it",
             state.name)
          .help("add `final: true` if the machine ends here, or an activity or a transition");
    }};

}  // namespace agneto::lint
