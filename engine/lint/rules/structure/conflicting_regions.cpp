#include <algorithm>
#include <map>
#include <set>

#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

bool leaves(const Machine& machine, const Transition& transition, StateId region) {
  return std::ranges::any_of(transition.targets,
                             [&](StateId target) { return !is_inside(machine, target, region); });
}

// An activity's outcome is offered to its own region alone, and the engine's events end a run.
bool is_offered_to_all(const LintContext& context, const Machine& machine,
                       const Transition& transition, const std::string& event) {
  if (event == "any" || model::is_engines(event)) return false;
  for (StateId id = transition.source; id <= machine.state(transition.source).last; ++id) {
    for (const model::Outcome& outcome : outcomes(machine.state(id), context.system)) {
      if (model::matches(event, outcome.name)) return false;
    }
  }
  return true;
}

// Guards may well exclude each other.
bool is_certain(const Transition& transition) {
  return !transition.targets.empty() && transition.guard == none;
}

// A transition that is certain, and the region of the parallel state that it is in.
struct Taker {
  const Transition* transition;
  StateId region;
};

// Those in the regions that take each event, in document order.
std::map<std::string, std::vector<Taker>> takers_by_event(const Machine& machine,
                                                          const State& parallel) {
  std::map<std::string, std::vector<Taker>> all;
  for (const StateId region : parallel.children) {
    for (StateId id = region; id <= machine.state(region).last; ++id) {
      for (const TransitionId one : machine.state(id).on) {
        const Transition& transition = machine.transitions[one];
        if (!is_certain(transition)) continue;
        for (const std::string& event : transition.events) {
          all[event].push_back({&transition, region});
        }
      }
    }
  }
  return all;
}

// The first in a region before that leads another way, where one of the two leaves its region.
const Transition* conflicting(const Machine& machine, const std::vector<Taker>& takers,
                              const Taker& later) {
  for (const Taker& one : takers) {
    if (one.region >= later.region) return nullptr;
    const bool one_leaves = leaves(machine, *one.transition, one.region) ||
                            leaves(machine, *later.transition, later.region);
    if (one_leaves && !have_same_effect(*one.transition, *later.transition)) return one.transition;
  }
  return nullptr;
}

}  // namespace

extern const LintRule conflicting_regions = {
    {"W235", "conflicting-regions", "regions that take one event and lead different ways",
     R"(Of two transitions in different regions, one of which leads out of the parallel state, only one can be
taken. It is the earlier one in the file, which nobody sees who reads the other.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      if (state.kind != StateKind::parallel) return;
      std::set<const Transition*> reported;
      for (auto& [event, takers] : takers_by_event(machine, state)) {
        std::erase_if(takers, [&, &event = event](const Taker& one) {
          return !is_offered_to_all(context, machine, *one.transition, event);
        });
        for (const Taker& later : takers) {
          const Transition* one = conflicting(machine, takers, later);
          if (!one || !reported.insert(later.transition).second) continue;
          report(later.transition->span,
                 "where '{}' takes '{}' too, this transition of '{}' is not taken, as it is the "
                 "later in the file",
                 machine.state(one->source).name, event,
                 machine.state(later.transition->source).name)
              .help("let one state take it: the parallel state around them, or one of the regions")
              .related(one->span, "the one that is taken");
        }
      }
    }};

}  // namespace agneto::lint
