#include <fmt/format.h>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Can anything but its own eventless transitions lead out? In another region of a parallel state
// anything may happen, and the guards be asked again.
bool may_go_on(const Machine& machine, StateId inner) {
  return std::ranges::any_of(lineage(machine, inner), [&](const State* state) {
    return state->kind == StateKind::parallel || !state->after.empty() ||
           (state->id != inner && !state->always.empty()) ||
           std::ranges::any_of(state->on, [&](TransitionId id) {
             return !std::ranges::all_of(machine.transitions[id].events, model::is_engines);
           });
  });
}

}  // namespace

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
      if (transition.guard == none || may_go_on(machine, state.id)) return;
      report(machine.code[transition.guard].span,
             fmt::format("where this is false, nothing ever happens in '{}'", state.name),
             "add an alternative without a guard behind it");
    }};

}  // namespace agneto::lint
