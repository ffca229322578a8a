// What the transitions of a machine can lead to, whatever its guards say.
#pragma once

#include <map>
#include <vector>

#include "model/machine.h"

namespace agneto::lint {

// By StateId. Takes every guard to be true and every event to come, so that what it calls
// unreachable is. History states count where they may be a target.
std::vector<bool> reachable(const model::Machine& machine);

// By StateId: can the machine end once the state was active? Every guard is taken to be true and
// every event but `abort` to come, so that a no is certain.
std::vector<bool> can_end(const model::Machine& machine);

// Atomic states that are left without an event, whatever happens, for others of the kind; and for
// which.
std::map<model::StateId, std::vector<model::StateId>> restless(const model::Machine& machine);

}  // namespace agneto::lint
