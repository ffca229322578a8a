// What an agent is called with, as far as the machine and the configuration say it.
#pragma once

#include "agents/caller.h"
#include "chart/step.h"
#include "run/config.h"
#include "workspace/workspace.h"

namespace agneto::run {

// Without what depends on the run so far: which call it is, where it works, the conversation, a
// person's instructions, what was recorded of it.
agents::Request request_of(const chart::CallAgent& effect, const model::System& system,
                           const chart::Instance& instance, const Config& config);

// What hooks see as m.workspace: the whole run's work, and as `chunk` that since the last commit.
Json workspace_json(const workspace::Changes& since_base, const workspace::Changes& since_commit);

}  // namespace agneto::run
