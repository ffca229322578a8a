#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Is there anything that leads on while a final state in `inner` is active? A parallel state around
// it has other regions, in which anything can happen.
bool leads_on(const Machine& machine, StateId inner) {
  const std::string done = "done.state." + machine.state(inner).name;
  return std::ranges::any_of(lineage(machine, inner), [&](const State* state) {
    return state->kind == StateKind::parallel || !state->after.empty() || !state->always.empty() ||
           waits_for_event(machine, *state) || std::ranges::any_of(state->on, [&](TransitionId id) {
             return takes(machine.transitions[id], done);
           });
  });
}

}  // namespace

extern const LintRule untaken_done = {
    {"W219", "untaken-done", "a compound state that ends, and nothing leads on",
     R"(A final state inside a compound ends that compound and not the machine. Nothing happens then but
`done.state.COMPOUND`; where no transition takes it, the machine waits until the run is suspended.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      const std::vector<bool> reached = reachable(machine);
      for (const State& state : machine.states) {
        if (state.kind != StateKind::final || state.parent == 0 || !reached[state.id]) continue;
        if (leads_on(machine, state.parent)) continue;
        const std::string& name = machine.state(state.parent).name;
        report(state.span, "'{}' ends '{}', and nothing leads on from there", state.name, name)
            .help("add a transition to '{}': on: {{done.state.{}: STATE}}", name, name);
      }
    }};

}  // namespace agneto::lint
