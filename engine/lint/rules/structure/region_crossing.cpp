#include "lint/rule.h"

namespace agneto::lint {

namespace {

// The parallel state in whose other region `target` is, seen from `source`; none if there is none.
StateId crossed(const Machine& machine, StateId source, StateId target) {
  StateId around = source;
  while (around != 0 && around != target && !machine.is_descendant(target, around)) {
    around = machine.state(around).parent;
  }
  const bool other_region =
      machine.state(around).kind == StateKind::parallel && around != source && around != target;
  return other_region ? around : none;
}

}  // namespace

extern const LintRule region_crossing = {
    {"W213", "region-crossing", "a transition from one region of a parallel state to another",
     R"(Regions are active together, so that going from one to another leaves the whole parallel state and
enters it again: every activity in every region is cancelled and begins anew. If the other region
alone is to move, raise an event that it takes.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      for (const Transition& transition : machine.transitions) {
        for (const StateId target : transition.targets) {
          const StateId parallel = crossed(machine, transition.source, target);
          if (parallel == none) continue;
          report(transition.span,
                 "'{}' is in another region of '{}', all of which is left and entered again",
                 machine.state(target).name, machine.state(parallel).name)
              .help("raise an event that the other region takes, if it alone is to move");
          break;
        }
      }
    }};

}  // namespace agneto::lint
