#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule one_call_session = {
    {"W447", "one-call-session", "a session of a state in which there is one call",
     R"(A session that is named after a state lasts for one entry of it. An atomic state makes one call for
each entry, so that each time the machine comes back to it a new conversation begins, as with `fresh`, and
the agent remembers nothing of those before. Name a compound state around all that belong together, or say `machine`.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      for (const model::Agent& agent : machine.agents) {
        if (agent.session != model::SessionScope::state || agent.session_state == none) continue;
        const State& state = machine.state(agent.session_state);
        const auto is_it = [&](const State& other) { return other.id == state.id; };
        const auto never = [](const State&) { return false; };
        if (state.kind != StateKind::atomic || !next_state(machine, state, is_it, never)) continue;
        report(agent.span, "'{}' remembers nothing: its session ends with its one call in '{}'",
               agent.name, state.name)
            .help("name a compound state around its calls, or say `session: machine`")
            .related(state.span, "this state is entered anew for each call");
      }
    }};

}  // namespace agneto::lint
