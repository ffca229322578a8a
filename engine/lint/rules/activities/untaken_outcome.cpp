#include <fmt/format.h>

#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// Descriptors of the state and those around it, innermost first.
std::vector<std::string> descriptors(const Machine& machine, StateId state) {
  std::vector<std::string> result;
  for (const State* around : lineage(machine, state)) {
    for (const TransitionId id : around->on) {
      const auto& events = machine.transitions[id].events;
      result.insert(result.end(), events.begin(), events.end());
    }
  }
  return result;
}

void check_state(const Machine& machine, const State& state, const model::System& system,
                 const Reporter& report) {
  const auto all = outcomes(state, system);
  if (all.empty()) return;
  const std::vector<std::string> taken = descriptors(machine, state.id);
  for (const model::Outcome& outcome : all) {
    const bool is_taken = std::ranges::any_of(
        taken, [&](const std::string& event) { return model::matches(event, outcome.name); });
    if (is_taken) continue;
    Diagnostic& finding = report(
        outcome.span,
        fmt::format("no transition of '{}' or around it takes the {} '{}', which fails the machine",
                    state.name, outcome.what, outcome.name));
    const std::string near = closest(outcome.name, taken);
    finding.help = near.empty() ? fmt::format("add a transition: on: {{{}: STATE}}", outcome.name)
                                : fmt::format("a transition takes '{}'; did you mean '{}'?", near,
                                              outcome.name);
    if (outcome.related) finding.related.push_back({outcome.related, "it comes from here"});
  }
}

}  // namespace

extern const LintRule untaken_outcome = {
    {"W413", "untaken-outcome",
     "a verdict, option or outcome that no transition takes on the way to the root",
     R"(Nothing idles for ever: an outcome that no transition takes ends its machine as failed, and the
activity that delegated to it in `error.unhandled`. Add a transition on it to the state or around it.
Where a transition takes a name that differs by a slip of the hand, the message shows it.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const State& state : machine.states) check_state(machine, state, context.system, report);
    }};

}  // namespace agneto::lint
