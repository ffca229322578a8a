#include "lint/explore/explore.h"
#include "lint/explore/player.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule cancelled_work = {
    {"W230", "cancelled-work", "an end of the machine that cuts off an activity of another region",
     R"(A transition inside one region of a parallel state leads to a final state of the machine, while an
activity of another region still runs. What that would have come to is lost, and so are its changes.
Where that is meant, put the transition on the parallel state; else wait for `done.state.NAME`.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const Exploration& found = context.exploration(machine, Numbers::small);
      for (const Cancelled& cancelled : found.cancelled) {
        const State& state = machine.state(cancelled.state);
        // Nothing is lost with a question.
        if (std::holds_alternative<model::Ask>(state.activity)) continue;
        Played played = play_along(context, machine, found, cancelled.edge);
        const Configuration& end = found.configurations[found.edges[cancelled.edge].to];
        const State* final_state = nullptr;
        for (const StateId id : end.states) {
          if (machine.state(id).parent == 0) final_state = &machine.state(id);
        }
        report(state.span, "the machine {} in '{}' while '{}' is at work, which is cut off",
               played.confirmed ? "ends" : "possibly ends",
               final_state ? final_state->name : machine.name, state.name)
            .help(
                "wait for it (`done.state.NAME` of the parallel state), or lead there from the "
                "parallel state itself where it is meant to be cut off")
            .related(final_state ? final_state->span : Span(), "the end")
            .trace(std::move(played.trace));
      }
    },
    true};

}  // namespace agneto::lint
