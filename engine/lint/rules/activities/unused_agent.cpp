#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule unused_agent = {
    {"W414", "unused-agent", "an agent that no state calls",
     R"(Perhaps the state that called it is gone, or calls another by mistake. Remove it, or call it.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      std::vector<bool> used(machine.agents.size());
      for (const State& state : machine.states) {
        if (const auto* call = std::get_if<model::AgentCall>(&state.activity)) {
          used[call->agent] = true;
        }
      }
      for (bool more = true; more;) {
        more = false;
        for (std::size_t id = 0; id < used.size(); ++id) {
          const model::AgentId base = machine.agents[id].extends;
          if (!used[id] || base == none || used[base]) continue;
          used[base] = more = true;
        }
      }
      for (std::size_t id = 0; id < used.size(); ++id) {
        if (used[id]) continue;
        report(machine.agents[id].span, "no state calls the agent '{}'", machine.agents[id].name)
            .help("remove it");
      }
    }};

}  // namespace agneto::lint
