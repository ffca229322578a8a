#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"
#include "lint/reachable.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;

// Of what can happen while a final state in `inner` is active, is there anything that leads on? A
// parallel state around it has other regions, in which anything can.
bool leads_on(const Machine& machine, StateId inner) {
  const std::string done = "done.state." + machine.state(inner).name;
  for (StateId id = inner; id != model::none; id = machine.state(id).parent) {
    const State& state = machine.state(id);
    if (state.kind == StateKind::parallel || !state.after.empty() || !state.always.empty()) {
      return true;
    }
    for (const model::TransitionId transition : state.on) {
      for (const std::string& event : machine.transitions[transition].events) {
        if (!model::is_engines(event) || model::matches(event, done)) return true;
      }
    }
  }
  return false;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    const std::vector<bool> reached = reachable(machine);
    for (const State& state : machine.states) {
      if (state.kind != StateKind::final || state.parent == 0 || !reached[state.id]) continue;
      if (leads_on(machine, state.parent)) continue;
      const std::string& name = machine.state(state.parent).name;
      diagnostics
          .warning(untaken_done.name, state.span,
                   fmt::format("'{}' ends '{}', and nothing leads on from there", state.name, name))
          .help = fmt::format("add a transition to '{}': on: {{done.state.{}: STATE}}", name, name);
    }
  }
}

}  // namespace

const Check untaken_done = {"untaken-done", check};

}  // namespace agneto::lint
