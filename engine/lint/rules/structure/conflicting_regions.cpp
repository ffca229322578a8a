#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;
using model::Transition;

bool is_inside(const Machine& machine, StateId id, StateId region) {
  return id == region || machine.is_descendant(id, region);
}

bool leaves(const Machine& machine, const Transition& transition, StateId region) {
  return std::any_of(transition.targets.begin(), transition.targets.end(),
                     [&](StateId target) { return !is_inside(machine, target, region); });
}

// An activity's outcome is offered to its own region alone, and the engine's events end a run.
bool is_offered_to_all(const Subject& subject, const Machine& machine, const Transition& transition,
                       const std::string& event) {
  if (event == "any" || model::is_engines(event)) return false;
  for (StateId id = transition.source; id <= machine.state(transition.source).last; ++id) {
    for (const model::Outcome& outcome : outcomes(machine.state(id), subject.system)) {
      if (model::matches(event, outcome.name)) return false;
    }
  }
  return true;
}

// An event that both take, if there is one.
const std::string* shared(const Subject& subject, const Machine& machine, const Transition& one,
                          const Transition& other) {
  for (const std::string& event : one.events) {
    const auto& events = other.events;
    if (std::find(events.begin(), events.end(), event) == events.end()) continue;
    if (is_offered_to_all(subject, machine, one, event) &&
        is_offered_to_all(subject, machine, other, event)) {
      return &event;
    }
  }
  return nullptr;
}

// Guards may well exclude each other.
bool is_certain(const Transition& transition) {
  return !transition.targets.empty() && transition.guard == model::none;
}

void check_regions(const Subject& subject, const Machine& machine, StateId first, StateId second,
                   Diagnostics& diagnostics) {
  for (const Transition& other : machine.transitions) {
    if (!is_inside(machine, other.source, second) || !is_certain(other)) continue;
    for (const Transition& one : machine.transitions) {
      if (!is_inside(machine, one.source, first) || !is_certain(one)) continue;
      const bool first_leaves = leaves(machine, one, first);
      if (!first_leaves && !leaves(machine, other, second)) continue;
      if (one.targets == other.targets && one.actions.empty() && other.actions.empty()) continue;
      const std::string* event = shared(subject, machine, one, other);
      if (!event) continue;
      Diagnostic& finding = diagnostics.warning(
          conflicting_regions.name, other.span,
          fmt::format("where '{}' takes '{}' too, this transition of '{}' is not taken, as it is "
                      "the later in the file",
                      machine.state(one.source).name, *event, machine.state(other.source).name));
      finding.help = "let one state take it: the parallel state around them, or one of the regions";
      finding.related.push_back({one.span, "the one that is taken"});
      break;
    }
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const State& state : machine.states) {
      if (state.kind != model::StateKind::parallel) continue;
      const auto& regions = state.children;
      for (std::size_t i = 0; i < regions.size(); ++i) {
        for (std::size_t j = i + 1; j < regions.size(); ++j) {
          check_regions(subject, machine, regions[i], regions[j], diagnostics);
        }
      }
    }
  }
}

}  // namespace

const Check conflicting_regions = {"conflicting-regions", check};

}  // namespace agneto::lint
