// Who is called by an effect, and for what, as the workflow has it.
#pragma once

#include "chart/effect.h"
#include "model/machine.h"

namespace agneto::chart {

// Both belong to `system`, of which the call is.
const model::AgentCall& activity_of(const CallAgent& call, const model::System& system);
const model::Agent& agent_of(const CallAgent& call, const model::System& system);

}  // namespace agneto::chart
