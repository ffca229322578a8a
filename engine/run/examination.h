// What is wrong with a run, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"
#include "journal/journal.h"

namespace agneto::run {

struct Finding {
  std::string about;  // "journal", "workflow", "owner", "worktree", "branch", "checkpoints",
                      // "processes"
  bool wrong = false;
  std::string what;  // what was found
  std::string help;  // what to do; empty where all is well
};

// Looks at everything that the run needs in order to go on, and changes nothing. `folder`: where
// its .agneto is found from.
std::vector<Finding> examine(const fs::path& folder, journal::Journal& journal,
                             const journal::RunRecord& run);

}  // namespace agneto::run
