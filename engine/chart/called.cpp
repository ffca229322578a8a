#include "chart/called.h"

#include <variant>

namespace agneto::chart {

const model::AgentCall& activity_of(const CallAgent& call, const model::System& system) {
  return std::get<model::AgentCall>(system.machine(call.machine).state(call.state).activity);
}

const model::Agent& agent_of(const CallAgent& call, const model::System& system) {
  return system.machine(call.machine).agents[activity_of(call, system).agent];
}

}  // namespace agneto::chart
