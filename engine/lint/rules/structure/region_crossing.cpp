#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;

// The parallel state in whose other region `target` is, seen from `source`; none if there is none.
StateId crossed(const Machine& machine, StateId source, StateId target) {
  StateId around = source;
  while (around != 0 && around != target && !machine.is_descendant(target, around)) {
    around = machine.state(around).parent;
  }
  const bool other_region = machine.state(around).kind == model::StateKind::parallel &&
                            around != source && around != target;
  return other_region ? around : model::none;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const model::Transition& transition : machine.transitions) {
      for (const StateId target : transition.targets) {
        const StateId parallel = crossed(machine, transition.source, target);
        if (parallel == model::none) continue;
        diagnostics
            .warning(region_crossing.name, transition.span,
                     fmt::format("'{}' is in another region of '{}', all of which is left and "
                                 "entered again",
                                 machine.state(target).name, machine.state(parallel).name))
            .help = "raise an event that the other region takes, if it alone is to move";
        break;
      }
    }
  }
}

}  // namespace

const Check region_crossing = {"region-crossing", check};

}  // namespace agneto::lint
