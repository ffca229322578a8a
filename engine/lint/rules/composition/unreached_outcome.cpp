#include <algorithm>
#include <set>

#include "lint/explore/explore.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

std::set<std::string> reached(const Exploration& found, const State& state) {
  std::set<std::string> names;
  for (const Input& input : found.alphabet) {
    if (input.machine_end && input.state == state.id) names.insert(input.event.name);
  }
  return names;
}

// Does anything lead to such an end at all? Else other rules say so.
bool leads_to(const Machine& machine, const std::string& outcome) {
  return std::ranges::any_of(ends(machine),
                             [&](const State* end) { return end->outcome == outcome; });
}

}  // namespace

extern const LintRule unreached_outcome = {
    {"W607", "unreached-outcome",
     "a transition on an end that the other machine never comes to, given its inputs",
     R"(The other machine was explored with the inputs that `with` gives it, as far as they are known: its
guards never let it get to that end. The transition is dead, or the inputs are not what they were
meant to be. What is not known, such as a text, is taken to be anything.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const Exploration& found = context.exploration(machine);
      const auto* to = std::get_if<model::Delegate>(&state.activity);
      if (!found.complete() || !to || !found.entered[state.id] || !found.summarised[state.id]) {
        return;
      }
      const std::set<std::string> ends = reached(found, state);
      if (ends.empty()) return;
      const Machine& other = context.system.machine(to->machine);
      for (const model::Outcome& outcome : outcomes(state, context.system)) {
        if (ends.contains(outcome.name) || !leads_to(other, outcome.name)) continue;
        for (const TransitionId id : takers(machine, state.id, outcome.name)) {
          const Transition& transition = machine.transitions[id];
          const auto& events = transition.events;
          const bool names_it = std::ranges::find(events, outcome.name) != events.end();
          if (found.taken[id] || !names_it) continue;
          report(transition.span,
                 "given what '{}' passes to it, the machine '{}' never ends in '{}'", state.name,
                 other.name, outcome.name)
              .help(
                  "every configuration of that machine was explored; remove the transition, or see "
                  "why nothing leads to that end")
              .related(outcome.related, "the end");
        }
      }
    },
    true};

}  // namespace agneto::lint
