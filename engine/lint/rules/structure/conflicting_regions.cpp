#include <algorithm>

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

// An event that both take, if there is one.
const std::string* shared(const LintContext& context, const Machine& machine, const Transition& one,
                          const Transition& other) {
  const auto found = std::ranges::find_if(one.events, [&](const std::string& event) {
    return std::ranges::find(other.events, event) != other.events.end() &&
           is_offered_to_all(context, machine, one, event) &&
           is_offered_to_all(context, machine, other, event);
  });
  return found == one.events.end() ? nullptr : &*found;
}

// Guards may well exclude each other.
bool is_certain(const Transition& transition) {
  return !transition.targets.empty() && transition.guard == none;
}

void check_regions(const LintContext& context, const Machine& machine, StateId first,
                   StateId second, const Reporter& report) {
  for (const Transition& other : machine.transitions) {
    if (!is_inside(machine, other.source, second) || !is_certain(other)) continue;
    for (const Transition& one : machine.transitions) {
      if (!is_inside(machine, one.source, first) || !is_certain(one)) continue;
      const bool first_leaves = leaves(machine, one, first);
      if (!first_leaves && !leaves(machine, other, second)) continue;
      if (have_same_effect(one, other)) continue;
      const std::string* event = shared(context, machine, one, other);
      if (!event) continue;
      report(other.span,
             "where '{}' takes '{}' too, this transition of '{}' is not taken, as it is the later "
             "in the file",
             machine.state(one.source).name, *event, machine.state(other.source).name)
          .help("let one state take it: the parallel state around them, or one of the regions")
          .related(one.span, "the one that is taken");
      break;
    }
  }
}

}  // namespace

extern const LintRule conflicting_regions = {
    {"W235", "conflicting-regions", "regions that take one event and lead different ways",
     R"(Of two transitions in different regions, one of which leads out of the parallel state, only one can be
taken. It is the earlier one in the file, which nobody sees who reads the other.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      if (state.kind != StateKind::parallel) return;
      const auto& regions = state.children;
      for (std::size_t i = 0; i < regions.size(); ++i) {
        for (std::size_t j = i + 1; j < regions.size(); ++j) {
          check_regions(context, machine, regions[i], regions[j], report);
        }
      }
    }};

}  // namespace agneto::lint
