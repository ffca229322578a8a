// `--watch`: a command's work done again whenever a file that matters has changed.
#pragma once

#include <cstdio>
#include <functional>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/files.h"

namespace agneto::cli {

// What a round begins with, as it is now: these files, and the folders where another may come to
// be.
struct Scope {
  std::vector<fs::path> files;
  std::set<fs::path> folders;
};

// One round: does the work, reads through the files, prints, and says how it ended.
using Round = std::function<ExitStatus(const Files& files)>;

// Rounds until Ctrl+C, one whenever a file has another text than the last round read, or is there
// now or gone, or when `scope` has other files. A terminal is cleared before each. The status is
// the last round's. `scope` does not throw: what is wrong with it the round says. `notes`: where it
// says that it waits, and what keeps a round from being made.
ExitStatus again_and_again(const std::function<Scope()>& scope, const Round& round,
                           std::FILE* notes);

}  // namespace agneto::cli
