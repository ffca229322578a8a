#include <fmt/format.h>

#include "base/text.h"
#include "lint/explore/shown.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// What transitions of the state and those around it take that is none of its outcomes, the
// innermost first.
std::vector<std::string> others_taken(const Machine& machine, StateId state,
                                      const std::vector<model::Outcome>& outcomes) {
  std::vector<std::string> result;
  for (const State* around : lineage(machine, state)) {
    for (const TransitionId id : around->on) {
      for (const std::string& event : machine.transitions[id].events) {
        if (!model::find(outcomes, event)) result.push_back(event);
      }
    }
  }
  return result;
}

}  // namespace

extern const LintRule untaken_outcome = {
    {"W413", "untaken-outcome",
     "a verdict, option or outcome that no transition takes on the way to the root",
     R"(Nothing idles for ever: an outcome that no transition takes ends its machine as failed, and the
activity that delegated to it in `error.unhandled`. Add a transition on it to the state or around it.
Where a transition takes a name that differs by a slip of the hand, the message shows it. Nothing is said of an
outcome that exploring shows never to come.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto all = model::outcomes(state, context.system);
      for (const model::Outcome& outcome : all) {
        if (!takers(machine, state.id, outcome.name).empty()) continue;
        if (!untaken(context, machine, state, outcome.name).possible) continue;
        const std::string near = closest(outcome.name, others_taken(machine, state.id, all));
        report(outcome.span,
               "no transition of '{}' or around it takes the {} '{}', which fails the machine",
               state.name, outcome.what, outcome.name)
            .help(near.empty() ? fmt::format("add a transition: on: {{{}: STATE}}", outcome.name)
                               : fmt::format("a transition takes '{}'; did you mean '{}'?", near,
                                             outcome.name))
            .related(outcome.related, "it comes from here");
      }
    }};

}  // namespace agneto::lint
