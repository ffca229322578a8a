#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Does a state around it take an event and lead to another state inside of itself? Then what it
// holds are its modes, and one of them may be to do nothing.
bool is_a_mode(const Machine& machine, const State& state) {
  for (const State* around : lineage(machine, state.id)) {
    if (around == &state || around->id == 0) continue;
    for (const Transition* transition : transitions_of(machine, *around)) {
      const bool stays_inside = std::ranges::any_of(transition->targets, [&](StateId target) {
        return target != state.id && target != around->id && is_inside(machine, target, around->id);
      });
      if (stays_inside) return true;
    }
  }
  return false;
}

}  // namespace

extern const LintRule dead_end = {
    {"W211", "dead-end", "a state that is not final, without an activity and without a transition",
     R"(Nothing happens in such a state, so that a machine which gets there waits until the run is
suspended. Add `final: true` if the machine ends there, or what it is to do or to wait for.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      // Entry blocks may raise an event that is taken further out.
      const bool does_nothing = state.kind == StateKind::atomic && !state.has_activity() &&
                                transitions_of(machine, state).empty() && state.entry.empty();
      if (!does_nothing || is_in_parallel(machine, state.id) || is_a_mode(machine, state)) return;
      report(state.span, "nothing happens in '{}', and no transition of its own leaves it",
             state.name)
          .help("add `final: true` if the machine ends here, or an activity or a transition");
    }};

}  // namespace agneto::lint
