#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

bool is_region_that_ends(const Machine& machine, StateId region) {
  return std::ranges::any_of(machine.state(region).children, [&](StateId child) {
    return machine.state(child).kind == StateKind::final;
  });
}

// Is there an outcome in the region, and no error, with which one of its states leaves what is
// around all regions? Then what the region comes to matters.
const State* that_matters(const LintContext& context, const Machine& machine, StateId region) {
  const StateId around = machine.state(region).parent;
  const auto leaves = [&](TransitionId id) {
    const Transition& one = machine.transitions[id];
    return is_inside(machine, one.source, region) && !one.targets.empty() &&
           !machine.is_descendant(one.targets.front(), around);
  };
  const auto matters = [&](const State& state) {
    return is_inside(machine, state.id, region) &&
           std::ranges::any_of(outcomes(state, context.system), [&](const model::Outcome& outcome) {
             return std::ranges::any_of(model::takers(machine, state.id, outcome.name), leaves);
           });
  };
  const auto found = std::ranges::find_if(machine.states, matters);
  return found == machine.states.end() ? nullptr : &*found;
}

bool is_taken(const Machine& machine, StateId region) {
  const std::string event = "done.state." + machine.state(region).name;
  return std::ranges::any_of(machine.transitions, [&](const Transition& one) {
    return std::ranges::count(one.events, event) > 0;
  });
}

// A transition that leaves all regions when that one has ended, while another one, of whose end
// nobody hears, may yet fail. Where the end of each is taken, the first one wins.
void check_one(const LintContext& context, const Machine& machine, const State& state,
               const Transition& transition, StateId region, const Reporter& report) {
  const bool leaves = transition.guard == none && !transition.targets.empty() &&
                      std::ranges::none_of(transition.targets, [&](StateId target) {
                        return machine.is_descendant(target, state.id);
                      });
  if (!leaves) return;
  for (const StateId other : state.children) {
    if (other == region || !is_region_that_ends(machine, other) || is_taken(machine, other)) {
      continue;
    }
    const State* working = that_matters(context, machine, other);
    if (!working) continue;
    report(transition.span, "this leaves '{}' as soon as '{}' has ended, and cuts off '{}' in '{}'",
           state.name, machine.state(region).name, working->name, machine.state(other).name)
        .help(
            "write done.state.{}, which comes when all of them have ended; where the first one is "
            "enough, take done.state.{}, too",
            state.name, machine.state(other).name)
        .related(working->span, "what this comes to is not waited for");
    return;
  }
}

void check_each(const LintContext& context, const Machine& machine, const State& state,
                const Reporter& report) {
  for (const StateId region : state.children) {
    const std::string event = "done.state." + machine.state(region).name;
    for (const TransitionId id : state.on) {
      const Transition& transition = machine.transitions[id];
      if (transition.events != std::vector<std::string>{event}) continue;
      check_one(context, machine, state, transition, region, report);
    }
  }
}

}  // namespace

extern const LintRule first_region = {
    {"W243", "first-region", "a parallel state that is left when its first region ends",
     R"(An event's name in `on` takes those that begin with it: `done` takes the `done.state.REGION` of each
region, too, so that the parallel state is left when the first of them ends, and what the others do is
cut off. All have ended with `done.state.NAME` of the parallel state itself. The same goes for the
`done.state.REGION` of one region, where another one may yet fail and nobody hears of its end.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      if (state.kind != StateKind::parallel) return;
      check_each(context, machine, state, report);
      const auto region = std::ranges::find_if(
          state.children, [&](StateId child) { return is_region_that_ends(machine, child); });
      if (state.children.size() < 2 || region == state.children.end()) return;
      for (const TransitionId id : state.on) {
        const Transition& transition = machine.transitions[id];
        const bool takes_all = std::ranges::any_of(transition.events, [](const std::string& event) {
          return event == "done" || event == "done.state";
        });
        if (!takes_all || transition.guard != none || transition.targets.empty()) continue;
        report(transition.span,
               "this takes `done.state.{}`, too, when the others are still at work",
               machine.state(*region).name)
            .help("write done.state.{}, which comes when all of them have ended", state.name);
      }
    }};

}  // namespace agneto::lint
