#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule idle_history = {
    {"W239", "idle-history", "a history state of the whole machine, which remembers nothing",
     R"(A history state remembers where the state around it was when that was left. The machine itself is never
left and entered again, so that a history state directly under its `states` always leads to its `default`.
It belongs inside the compound state that is to be resumed.)"},
    [](const LintContext&, const Machine&, const State& state, const Reporter& report) {
      if (!state.is_history() || state.parent != 0) return;
      report(state.span, "'{}' always leads to its default: the machine itself is never left",
             state.name)
          .help("move it inside the state that is to go on where it was");
    }};

}  // namespace agneto::lint
