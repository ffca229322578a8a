// Runs that move from one journal to another, such as from a file to a database that a team shares.
#pragma once

#include <string>

#include "journal/journal.h"

namespace agneto::run {

// The run is in `to` as it was in `from`, and goes on there alone: one that has not ended is
// "aborted" in `from`, as moved to `place`. False: it was there already, as after a move that was
// cut off. Throws Error where somebody works on it, where any of it is not as it was written, or
// where `to` has another one of its id or origin; and where its id is none that a run gets here.
bool move(journal::Journal& from, journal::Journal& to, const std::string& run_id,
          const std::string& place);

}  // namespace agneto::run
