#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::Transition;

// Something that may lead out in time: a timer, or an eventless transition.
bool has_way_out(const Machine& machine, model::StateId state) {
  for (model::StateId id = state; id != model::none; id = machine.state(id).parent) {
    if (!machine.state(id).after.empty() || !machine.state(id).always.empty()) return true;
  }
  return false;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  if (subject.system.main().limits.any()) return;
  for (const Machine& machine : subject.system.machines) {
    if (machine.limits.any()) continue;
    for (const State& state : machine.states) {
      if (!state.has_activity() || has_way_out(machine, state.id)) continue;
      if (std::holds_alternative<model::Ask>(state.activity)) continue;
      for (const model::TransitionId id : state.on) {
        const Transition& transition = machine.transitions[id];
        const bool again = transition.guard == model::none && transition.targets.size() == 1 &&
                           transition.targets.front() == state.id;
        if (!again) continue;
        const auto failure = std::find_if(
            transition.events.begin(), transition.events.end(), [&](const std::string& event) {
              if (event != "failed" && event != "any" && !model::matches("error", event))
                return false;
              // Nothing with a guard before it, which may count.
              const std::string example = event == "any" ? "error" : event;
              return takers(machine, state.id, example).front() == id;
            });
        if (failure == transition.events.end()) continue;
        diagnostics
            .warning(
                unbounded_retry.name, transition.span,
                fmt::format("'{}' is tried again for ever where it goes on to fail", state.name))
            .help =
            "count the tries in the context, and put an alternative before it: {guard: "
            "ctx.tries >= 3, target: STATE}";
        break;
      }
    }
  }
}

}  // namespace

const Check unbounded_retry = {"unbounded-retry", check};

}  // namespace agneto::lint
