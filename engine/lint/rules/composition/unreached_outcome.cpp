#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lint/check.h"
#include "lint/explore/explore.h"
#include "model/outcomes.h"
#include "lint/reachable.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;

std::set<std::string> reached(const Exploration& found, const State& state) {
  std::set<std::string> names;
  for (const Stimulus& stimulus : found.stimuli) {
    if (stimulus.ending && stimulus.state == state.id) names.insert(stimulus.event.name);
  }
  return names;
}

bool names(const model::Transition& transition, const std::string& event) {
  return std::find(transition.events.begin(), transition.events.end(), event) !=
         transition.events.end();
}

// Does anything lead to such an end at all? Else other rules say so.
bool leads_to(const Machine& machine, const std::string& outcome) {
  const std::vector<bool> reaches = reachable(machine);
  const auto& children = machine.state(0).children;
  return std::any_of(children.begin(), children.end(), [&](model::StateId id) {
    return reaches[id] && machine.state(id).outcome == outcome;
  });
}

void check_state(const Subject& subject, const Machine& machine, const State& state,
                 Diagnostics& diagnostics) {
  const Exploration& found = subject.exploration(machine);
  const auto* to = std::get_if<model::Delegate>(&state.activity);
  if (!to || !found.entered[state.id] || !found.summarised[state.id]) return;
  const std::set<std::string> ends = reached(found, state);
  if (ends.empty()) return;
  const Machine& other = subject.system.machine(to->machine);
  for (const model::Outcome& outcome : outcomes(state, subject.system)) {
    if (ends.contains(outcome.name) || !leads_to(other, outcome.name)) continue;
    for (const model::TransitionId id : takers(machine, state.id, outcome.name)) {
      const model::Transition& transition = machine.transitions[id];
      if (found.taken[id] || !names(transition, outcome.name)) continue;
      Diagnostic& finding = diagnostics.warning(
          unreached_outcome.name, transition.span,
          fmt::format("given what '{}' passes to it, the machine '{}' never ends in '{}'",
                      state.name, other.name, outcome.name));
      finding.help =
          "every configuration of that machine was explored; remove the transition, or "
          "see why nothing leads to that end";
      finding.related.push_back({outcome.related, "the end"});
    }
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    if (!subject.exploration(machine).complete()) continue;
    for (const State& state : machine.states) check_state(subject, machine, state, diagnostics);
  }
}

}  // namespace

const Check unreached_outcome = {"unreached-outcome", check, true};

}  // namespace agneto::lint
