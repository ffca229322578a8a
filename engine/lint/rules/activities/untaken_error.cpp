#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// A transition of the state or around it that takes some errors: on `error.timeout`.
const Transition* taker_of_some(const Machine& machine, const State& state) {
  for (const State* around : lineage(machine, state.id)) {
    for (const TransitionId id : around->on) {
      const bool takes = std::ranges::any_of(machine.transitions[id].events, [](const auto& event) {
        return event.starts_with("error.");
      });
      if (takes) return &machine.transitions[id];
    }
  }
  return nullptr;
}

}  // namespace

extern const LintRule untaken_error = {
    {"W425", "untaken-error", "an agent's error that nothing takes, where others are taken",
     R"(A call can time out, crash, or give no usable verdict, which is `error.timeout`, `error.exit` or
`error.unparsed`. Untaken, it ends the machine as failed. A machine that takes the errors of some calls,
or some errors of a call, means to go on; a transition on `error`, in the state or around it, takes
them all.)"},
    // Where no state cares, errors are meant to end the machine.
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      std::vector<const State*> untaken;
      const State* example = nullptr;
      for (const State& state : machine.states) {
        if (!std::holds_alternative<model::AgentCall>(state.activity)) continue;
        if (takers(machine, state.id, "error").empty()) {
          untaken.push_back(&state);
        } else if (!example) {
          example = &state;
        }
      }
      for (const State* state : untaken) {
        const Transition* some = taker_of_some(machine, *state);
        if (!some && !example) continue;
        report(state->span,
               "no transition of '{}' or around it takes {} of its agent, which fails the machine",
               state->name, some ? "every error" : "an error")
            .help("add a transition: on: {error: STATE}")
            .related(some ? some->span : example->span,
                     some ? "this takes some" : "those of this state's agent are taken");
      }
    }};

}  // namespace agneto::lint
