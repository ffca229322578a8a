// What the workflow says of a call: its agent and what that is asked for.
#pragma once

#include "chart/effect.h"
#include "model/machine.h"

namespace agneto::chart {

// The call is one of `system`, to which both belong.
const model::AgentCall& activity_of(const CallAgent& call, const model::System& system);
const model::Agent& agent_of(const CallAgent& call, const model::System& system);

}  // namespace agneto::chart
