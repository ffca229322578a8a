// A workspace whose run goes through a hub: what changes in the run's refs is there when a call
// returns.
#pragma once

#include <memory>

#include "workspace/hub/run.h"
#include "workspace/workspace.h"

namespace agneto::workspace {

// Of the run itself, or of one of its forks.
std::unique_ptr<Workspace> through_hub(std::unique_ptr<Workspace> files,
                                       std::shared_ptr<HubRun> run);

}  // namespace agneto::workspace
