#include <fmt/format.h>

#include "lint/check.h"

namespace agneto::lint {

namespace {

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    std::vector<bool> used(machine.agents.size());
    for (const model::State& state : machine.states) {
      if (const auto* call = std::get_if<model::AgentCall>(&state.activity))
        used[call->agent] = true;
    }
    for (std::size_t id = 0; id < used.size(); ++id) {
      if (used[id]) continue;
      diagnostics
          .warning(unused_agent.name, machine.agents[id].span,
                   fmt::format("no state calls the agent '{}'", machine.agents[id].name))
          .help = "remove it";
    }
  }
}

}  // namespace

const Check unused_agent = {"unused-agent", check};

}  // namespace agneto::lint
