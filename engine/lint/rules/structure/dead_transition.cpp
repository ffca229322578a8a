#include <algorithm>
#include <set>

#include "base/text.h"
#include "lint/explore/explore.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Events of the engine come for reasons that are not explored.
bool is_explored(const Transition& transition) {
  return std::ranges::none_of(transition.events, [](const auto& event) {
    return event == "any" || model::is_engines(event);
  });
}

// Is there a guard that decides whether it is taken? Without one another rule says why it is not.
bool is_decided_by_guards(const Machine& machine, const std::vector<TransitionId>& alternatives,
                          TransitionId id) {
  const Transition& transition = machine.transitions[id];
  const auto guard_of = [&](const Transition& one) {
    return one.guard == none ? std::string_view() : trim(machine.code[one.guard].text);
  };
  bool guarded = transition.guard != none;
  for (const TransitionId other : alternatives) {
    if (other == id) break;
    const Transition& earlier = machine.transitions[other];
    const bool same_event = std::ranges::all_of(
        transition.events, [&](const auto& event) { return takes(earlier, event); });
    if (!same_event) continue;
    if (earlier.guard == none) return false;
    if (guard_of(earlier) == guard_of(transition)) return false;
    guarded = true;
  }
  return guarded;
}

// Is no alternative of the same events behind it taken either? Then the guard of one before them
// all is the cause.
bool is_at_the_end(const Machine& machine, const Exploration& found,
                   const std::vector<TransitionId>& alternatives, TransitionId id) {
  return std::ranges::none_of(alternatives, [&](TransitionId other) {
    return other > id && found.taken[other] &&
           machine.transitions[other].events == machine.transitions[id].events;
  });
}

// Does such an event come at all? Else it is not the guards.
bool comes(const LintContext& context, const Machine& machine, const Exploration& found,
           const Transition& transition) {
  return transition.events.empty() ||
         std::ranges::any_of(found.alphabet,
                             [&](const Input& one) { return takes(transition, one.event.name); }) ||
         std::ranges::any_of(transition.events, [&](const auto& event) {
           return context.raised(machine).may_come(event);
         });
}

}  // namespace

extern const LintRule dead_transition = {
    {"W226", "dead-transition", "a transition that guards never let be taken",
     R"(Every configuration of the machine was explored, with the flags and counters that its guards look at;
what is not known, such as a text, is taken to be anything. In none of them is the transition taken:
the guard is never true, or one before it always is.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const Exploration& found = context.exploration(machine);
      if (!found.complete() || !found.entered[state.id]) return;
      for (const auto* alternatives : {&state.on, &state.always}) {
        std::set<std::vector<std::string>> told;  // the events of those at the end
        for (const TransitionId id : *alternatives) {
          const Transition& transition = machine.transitions[id];
          if (found.taken[id] || !is_explored(transition)) continue;
          if (!is_decided_by_guards(machine, *alternatives, id)) continue;
          if (!comes(context, machine, found, transition)) continue;
          const bool is_last = is_at_the_end(machine, found, *alternatives, id);
          if (is_last && !told.insert(transition.events).second) continue;
          report(transition.span, "guards never let this transition of '{}' be taken", state.name)
              .help("all {} states of the machine with its data were explored",
                    found.configurations.size());
        }
      }
    },
    true};

}  // namespace agneto::lint
