// What a run has used so far, for those who look on.
#pragma once

#include <vector>

#include "journal/journal.h"

namespace agneto::run {

// `state`: the run's newest, whose totals are of its last step; replies of calls that are still
// under way, and the time since, are added. `line.status` tells whether somebody works on it:
// "running" until `now`, "interrupted" until its last entry.
Json totals_of(const Json& state, const journal::RunRecord& line,
               const std::vector<journal::Entry>& entries, Time now);

}  // namespace agneto::run
