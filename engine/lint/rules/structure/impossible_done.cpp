#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;

constexpr std::string_view prefix = "done.state.";

bool can_end(const Machine& machine, const State& state) {
  const auto ends = [&](StateId id) {
    const State& child = machine.state(id);
    return state.kind == StateKind::compound ? child.kind == StateKind::final
           : child.kind == StateKind::shallow_history || child.kind == StateKind::deep_history
               ? true
               : can_end(machine, child);
  };
  if (state.kind == StateKind::compound) {
    return std::any_of(state.children.begin(), state.children.end(), ends);
  }
  return state.kind == StateKind::parallel &&
         std::all_of(state.children.begin(), state.children.end(), ends);
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    std::vector<std::string> ending;
    for (const State& state : machine.states) {
      if (state.id != 0 && can_end(machine, state)) ending.push_back(state.name);
    }
    for (const model::Transition& transition : machine.transitions) {
      for (const std::string& event : transition.events) {
        if (!event.starts_with(prefix)) continue;
        const std::string name = event.substr(prefix.size());
        if (std::find(ending.begin(), ending.end(), name) != ending.end()) continue;
        const StateId id = machine.find(name);
        if (id == model::none) {
          diagnostics
              .warning(impossible_done.name, transition.span,
                       fmt::format("there is no state '{}' that '{}' could be about", name, event))
              .help = suggestion(name, ending, "states that can be done");
        } else {
          diagnostics
              .warning(impossible_done.name, transition.span,
                       fmt::format("'{}' never happens: nothing ends '{}'", event, name))
              .help = machine.state(id).kind == StateKind::atomic
                          ? "what an activity ends in is an event of its own, such as `ok` or a "
                            "verdict"
                          : "a compound state is done when a final state in it is entered, a "
                            "parallel one when all its regions are";
        }
      }
    }
  }
}

}  // namespace

const Check impossible_done = {"impossible-done", check};

}  // namespace agneto::lint
