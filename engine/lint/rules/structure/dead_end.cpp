#include <fmt/format.h>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;

bool is_in_a_region(const Machine& machine, StateId state) {
  for (StateId id = state; id != 0; id = machine.state(id).parent) {
    if (machine.state(machine.state(id).parent).kind == StateKind::parallel) return true;
  }
  return false;
}

// Entry blocks may raise an event that is taken further out.
bool does_nothing(const State& state) {
  return state.kind == StateKind::atomic && !state.has_activity() && state.on.empty() &&
         state.always.empty() && state.after.empty() && state.entry.empty();
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const State& state : machine.states) {
      if (!does_nothing(state) || is_in_a_region(machine, state.id)) continue;
      diagnostics
          .warning(dead_end.name, state.span,
                   fmt::format("nothing happens in '{}', and no transition of its own leaves it",
                               state.name))
          .help = "add `final: true` if the machine ends here, or an activity or a transition";
    }
  }
}

}  // namespace

const Check dead_end = {"dead-end", check};

}  // namespace agneto::lint
