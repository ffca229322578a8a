#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule undecided = {
    {"W225", "undecided", "a state with one eventless transition whose guard may be false",
     R"(Nothing else happens in such a state, and no event is waited for, so that the guard is asked once.
Where it is false the run is suspended there. Say what is to happen then.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      // Several guards may complete each other.
      if (state.kind != StateKind::atomic || state.has_activity() || state.always.size() != 1) {
        return;
      }
      const Transition& transition = machine.transitions[state.always.front()];
      if (transition.guard == none) return;
      // Can anything but its own eventless transitions lead out? In another region of a parallel
      // state anything may happen, and the guards be asked again.
      const bool may_go_on =
          std::ranges::any_of(lineage(machine, state.id), [&](const State* around) {
            return around->kind == StateKind::parallel || !around->after.empty() ||
                   (around->id != state.id && !around->always.empty()) ||
                   waits_for_event(machine, *around);
          });
      if (may_go_on) return;
      report(machine.code[transition.guard].span,
             "where this is false, nothing ever happens in '{}'", state.name)
          .help("add an alternative without a guard behind it");
    }};

}  // namespace agneto::lint
