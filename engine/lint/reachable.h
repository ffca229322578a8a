// Which states of a machine may ever be active.
#pragma once

#include <vector>

#include "model/machine.h"

namespace agneto::lint {

// By StateId. Takes every guard to be true and every event to come, so that what it calls
// unreachable is. History states count where they may be a target.
std::vector<bool> reachable(const model::Machine& machine);

}  // namespace agneto::lint
