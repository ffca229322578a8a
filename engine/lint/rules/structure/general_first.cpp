#include <fmt/format.h>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::Transition;

// Does the descriptor take the event as one of several, as `error` takes `error.timeout`? What is
// asked of every event is asked first on purpose.
bool is_general(const State& state, const std::string& descriptor, const std::string& event) {
  return descriptor != "any" && descriptor != event && model::takes(state, descriptor, event);
}

bool same_effect(const Transition& one, const Transition& other) {
  return one.targets == other.targets && one.actions.empty() && other.actions.empty();
}

// Its guard may leave out the special case by the event's name.
bool looks_at_event(const Machine& machine, const Transition& transition) {
  return machine.code[transition.guard].text.find("event") != std::string::npos;
}

void check_pair(const Machine& machine, const State& state, const Transition& earlier,
                const Transition& later, Diagnostics& diagnostics) {
  if (earlier.guard == model::none || same_effect(earlier, later)) return;
  if (looks_at_event(machine, earlier)) return;
  for (const std::string& event : later.events) {
    for (const std::string& descriptor : earlier.events) {
      if (!is_general(state, descriptor, event)) continue;
      Diagnostic& finding = diagnostics.warning(
          general_first.name, later.span,
          fmt::format("the transition on '{}' before this takes '{}' too where its guard is true",
                      descriptor, event));
      finding.help = "put the special case first";
      finding.related.push_back({earlier.span, "the general one"});
      return;
    }
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const State& state : machine.states) {
      for (std::size_t i = 0; i < state.on.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          check_pair(machine, state, machine.transitions[state.on[j]],
                     machine.transitions[state.on[i]], diagnostics);
        }
      }
    }
  }
}

}  // namespace

const Check general_first = {"general-first", check};

}  // namespace agneto::lint
