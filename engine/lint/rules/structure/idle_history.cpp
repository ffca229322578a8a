#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Does the region begin with work, and come to an end of its own?
bool has_something_to_remember(const Machine& machine, const State& region) {
  const StateId first = entered(machine, region.id);
  return first != none && machine.state(first).has_activity() &&
         std::ranges::any_of(region.children, [&](StateId id) {
           return machine.state(id).kind == StateKind::final;
         });
}

// A transition from outside of the state to the history alone; null where there is none.
const Transition* way_back(const Machine& machine, StateId outside_of, StateId history) {
  const auto found = std::ranges::find_if(machine.transitions, [&](const Transition& one) {
    return one.targets == std::vector<StateId>{history} &&
           !is_inside(machine, one.source, outside_of);
  });
  return found == machine.transitions.end() ? nullptr : &*found;
}

// A history state inside one region: where the parallel state is entered through it, the others
// begin anew.
void check_other_regions(const Machine& machine, const State& history, const Reporter& report) {
  for (const State* region : lineage(machine, history.parent)) {
    if (region->id == 0 || machine.state(region->parent).kind != StateKind::parallel) continue;
    const State& parallel = machine.state(region->parent);
    const Transition* back = way_back(machine, parallel.id, history.id);
    if (!back) continue;
    const auto other = std::ranges::find_if(parallel.children, [&](StateId id) {
      return id != region->id && has_something_to_remember(machine, machine.state(id));
    });
    if (other == parallel.children.end()) continue;
    report(history.span, "'{}' remembers '{}' alone: '{}' beside it begins anew", history.name,
           region->name, machine.state(*other).name)
        .help("move it to the states of '{}', so that it remembers all of them", parallel.name)
        .related(back->span, "here all of them are entered again");
    return;
  }
}

}  // namespace

extern const LintRule idle_history = {
    {"W239", "idle-history", "a history state that remembers nothing, or not all of it",
     R"(A history state remembers where the state around it was when that was left. The machine itself is never
left and entered again, so that a history state directly under its `states` always leads to its `default`.
It belongs inside the compound state that is to be resumed. One inside a region of a parallel state
remembers that region: the others begin anew. Directly under the `states` of the parallel state it
remembers all of them.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      if (!state.is_history()) return;
      if (state.parent != 0) return check_other_regions(machine, state, report);
      report(state.span, "'{}' always leads to its default: the machine itself is never left",
             state.name)
          .help("move it inside the state that is to go on where it was");
    }};

}  // namespace agneto::lint
