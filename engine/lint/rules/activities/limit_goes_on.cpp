#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Can the machine come back to the state once it has been there, without a person's answer and
// without a guard, which may count?
bool can_come_back(const Machine& machine, const State& state) {
  const auto is_it = [&](const State& other) { return other.id == state.id; };
  const auto ends_it = [&](const State& other) {
    return std::holds_alternative<model::Ask>(other.activity) ||
           std::ranges::any_of(transitions_of(machine, other),
                               [](const Transition* one) { return one->guard != none; });
  };
  return !ends_it(state) && next_state(machine, state, is_it, ends_it, false);
}

}  // namespace

extern const LintRule limit_goes_on = {
    {"W436", "limit-goes-on", "a transition on `limit` into a loop that calls an agent",
     R"(A limit is offered once. Where the machine goes round in a loop of agents then, nothing bounds it any
more. End, or ask a person first who decides whether to go on.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      for (const Transition& transition : machine.transitions) {
        const bool on_limit = std::ranges::count(transition.events, "limit") > 0;
        if (!on_limit || transition.guard != none || transition.targets.size() != 1) continue;
        const StateId target = entered(machine, transition.targets.front());
        if (target == none) continue;
        const State& state = machine.state(target);
        if (!std::holds_alternative<model::AgentCall>(state.activity)) continue;
        if (!can_come_back(machine, state)) continue;
        report(transition.span, "at the limit '{}' goes on to call an agent, and nothing bounds it",
               state.name)
            .help("end, or ask a person first");
      }
    }};

}  // namespace agneto::lint
