// The path that a run took, for its picture.
#pragma once

#include "graph/picture.h"
#include "journal/journal.h"

namespace agneto::cli {

// How often each transition was taken, as the journal has it; what was undone does not count. Of a
// machine that is delegated to, wherever that is. A transition that the machines do not have is
// passed over.
graph::Trail trail_of(const std::vector<journal::Entry>& entries, const model::System& system,
                      model::MachineId machine);

}  // namespace agneto::cli
