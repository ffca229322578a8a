// What a run took, or tests, for a picture of it.
#pragma once

#include "graph/picture.h"
#include "record/entry.h"

namespace agneto::graph {

// The root machine's instance in a run's recorded state; null: there is none any more.
Json recorded_instance(const Json& state);

// Counts how often the journal says that each transition was taken, and says where the run is. What
// was undone does not count, and neither does a transition that the machines do not have. What a
// machine took counts wherever it was delegated to. `instance` is what `recorded_instance` returns.
Trail trail_of(const std::vector<record::Entry>& entries, const Json& instance,
               const model::System& system, model::MachineId machine);

// The same of entries that follow those of a trail. Those that a rewind has undone meanwhile are
// not taken back.
void count(const std::vector<record::Entry>& entries, const model::System& system,
           model::MachineId machine, Trail& trail);
// The ids of the boxes where the run is.
std::set<std::string> active_in(const Json& instance, const model::System& system,
                                model::MachineId machine);

// What tests took and left out, as `agneto test --coverage-file` wrote it. Throws Error where the
// text is no such file, or of other machines than these.
Trail trail_of(const std::string& coverage, const std::string& file, const model::System& system,
               model::MachineId machine);

}  // namespace agneto::graph
