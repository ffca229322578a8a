#include <fmt/format.h>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;

// Can anything but its own eventless transitions lead out? In another region of a parallel state
// anything may happen, and the guards be asked again.
bool may_go_on(const Machine& machine, StateId inner) {
  for (StateId id = inner; id != model::none; id = machine.state(id).parent) {
    const State& state = machine.state(id);
    if (state.kind == StateKind::parallel || !state.after.empty()) return true;
    if (id != inner && !state.always.empty()) return true;
    for (const model::TransitionId transition : state.on) {
      for (const std::string& event : machine.transitions[transition].events) {
        if (!model::is_engines(event)) return true;
      }
    }
  }
  return false;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const State& state : machine.states) {
      // Several guards may complete each other.
      if (state.kind != StateKind::atomic || state.has_activity() || state.always.size() != 1)
        continue;
      const model::Transition& transition = machine.transitions[state.always.front()];
      if (transition.guard == model::none || may_go_on(machine, state.id)) continue;
      diagnostics
          .warning(undecided.name, machine.code[transition.guard].span,
                   fmt::format("where this is false, nothing ever happens in '{}'", state.name))
          .help = "add an alternative without a guard behind it";
    }
  }
}

}  // namespace

const Check undecided = {"undecided", check};

}  // namespace agneto::lint
