// What runs have left in a repository whose journal does not know them: starts and forks that were
// killed before their run was recorded, and runs of a journal that is gone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "journal/journal.h"

namespace agneto::run {

struct Leftover {
  std::string run;
  std::string base = {};     // the branch that it started from, where that is known
  bool never_began = false;  // no agent has worked there: nothing is lost with it
};

// `home` is the .agneto of the repository at `root`. Starts that are just under way are none.
// Throws Error where git cannot be asked.
std::vector<Leftover> leftovers(const std::filesystem::path& root,
                                const std::filesystem::path& home, journal::Journal& journal);

// The file by which a start is known that is under way, or was killed.
std::filesystem::path mark_of_start(const std::filesystem::path& home, const std::string& run);

// The ids of those that never began; asks no git.
std::vector<std::string> failed_starts(const std::filesystem::path& home,
                                       journal::Journal& journal);
// Removes one of them, if it is one still.
void clear_failed_start(const std::filesystem::path& root, const std::filesystem::path& home,
                        journal::Journal& journal, const std::string& run);

}  // namespace agneto::run
