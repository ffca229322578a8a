// What a run took, or tests, for a picture of it.
#pragma once

#include "graph/picture.h"
#include "record/entry.h"

namespace agneto::graph {

// The root machine's instance in a run's recorded state; null: there is none any more.
Json recorded_instance(const Json& state);

// How often each transition was taken, as the journal has it, and where the run is; what was undone
// does not count. Of a machine that is delegated to, wherever that is. A transition that the
// machines do not have is passed over. `instance`: as of `recorded_instance`.
Trail trail_of(const std::vector<record::Entry>& entries, const Json& instance,
               const model::System& system, model::MachineId machine);

// What tests took and left out, as `agneto test --coverage-file` wrote it. Throws Error where the
// text is no such file, or of other machines than these.
Trail trail_of(const std::string& coverage, const std::string& file, const model::System& system,
               model::MachineId machine);

}  // namespace agneto::graph
