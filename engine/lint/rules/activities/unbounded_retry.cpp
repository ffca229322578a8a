#include <algorithm>

#include "lint/merges.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// A merge that conflicts and is made again has the same to merge as before.
void check_conflict(const Machine& machine, const State& state, const Reporter& report) {
  if (!is_merge(state)) return;
  for (const TransitionId id : state.on) {
    const Transition& transition = machine.transitions[id];
    if (transition.events != std::vector<std::string>{"conflict"} ||
        transition.targets != std::vector<StateId>{state.id}) {
      continue;
    }
    report(transition.span, "'{}' is tried again with nothing changed, and conflicts again",
           state.name)
        .help("let an agent or a person resolve it first, and commit");
  }
}

}  // namespace

extern const LintRule unbounded_retry = {
    {"W418", "unbounded-retry", "a state that is tried again for ever where it fails",
     R"(What failed may go on to fail, and every try of an agent costs. Count in the context and give up after
some tries, bound the time with `after`, or the whole run with `limits`. A merge that conflicts does so
again unless something is changed.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      check_conflict(machine, state, report);
      if (context.system.main().limits.any() || machine.limits.any()) return;
      if (!state.has_activity() || is_left_in_time(machine, state.id)) return;
      if (std::holds_alternative<model::Ask>(state.activity)) return;
      for (const TransitionId id : state.on) {
        const Transition& transition = machine.transitions[id];
        const bool again = transition.guard == none && transition.targets.size() == 1 &&
                           transition.targets.front() == state.id;
        const auto fails = [&](const std::string& event) {
          if (event != "failed" && event != "any" && !model::matches("error", event)) return false;
          // Nothing with a guard before it, which may count.
          return takers(machine, state.id, event == "any" ? "error" : event).front() == id;
        };
        if (!again || std::ranges::none_of(transition.events, fails)) continue;
        report(transition.span, "'{}' is tried again for ever where it goes on to fail", state.name)
            .help(
                "count the tries in the context, and put an alternative before it: {guard: "
                "ctx.tries >= 3, target: STATE}");
        return;
      }
    }};

}  // namespace agneto::lint
