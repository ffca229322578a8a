// The lock files by which gits keep out of one another's way, and what killed ones leave of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "process/fd.h"

namespace agneto::workspace {

namespace fs = std::filesystem;

// The lock that one process, and one thread of it, has on a file as long as the descriptor is open.
// The file is made where it is missing, and may be removed by who has the lock. Nothing: another
// has it. A program has it as well that is started `holding` the descriptor. Throws Error.
process::Fd try_lock(const fs::path& file);

// Does any process that can be seen have the file open?
bool is_open(const fs::path& file);

// Removes a lock that nobody has open: what a git has open there is about to be that ref.
void remove_lock(const fs::path& lock);

// The locks on a run's own refs and its branch; with its forks' where nothing of the run is at
// work.
enum class Whose { own, and_forks };
std::vector<fs::path> ref_locks(const fs::path& common, const std::string& run, Whose whose);
// Removes those that nobody has open.
void clear_ref_locks(const fs::path& common, const std::string& run, Whose whose);

// Git's locks anywhere in the repository that nobody has open, and nobody has touched for some
// seconds: a git that was killed has left them. Throws Error where git cannot be asked.
std::vector<fs::path> stale_locks(const fs::path& repository);

}  // namespace agneto::workspace
