// Taking away what a run has left, as `agneto clean` and servers do it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "journal/journal.h"
#include "workspace/clean.h"

namespace agneto::run {

struct HowToClean {
  bool force = false;    // also what is merged nowhere, and of runs that have not ended
  bool dry_run = false;  // only say what would be done
};

struct CleanedRun {
  workspace::Cleaned done;
  std::vector<std::string> notes = {};  // what people are to know besides
};

// The run's worktree, merged branch and private refs, in the repository at `root`; its record
// stays. Somebody may work on it: then all of it is kept. Throws Error where git cannot be asked.
CleanedRun clean(const std::filesystem::path& root, journal::Journal& journal,
                 const journal::RunRecord& run, const HowToClean& how);

// Removes the record of a run that has ended, of which nothing else is left. Throws Error where
// somebody works on it.
void forget(journal::Journal& journal, const std::string& run_id);

// Cleans the runs that ended before then, and says so in the log.
void clean_ended(const std::filesystem::path& root, journal::Journal& journal, Time before);

}  // namespace agneto::run
