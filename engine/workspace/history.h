// What a run's checkpoints held, told from git's objects alone: the worktree may be gone.
//
// Each throws Error where the repository, or an object in it, is not there any more.
#pragma once

#include <filesystem>
#include <string>

#include "workspace/workspace.h"

namespace agneto::workspace {

// What `since_base` and `since_last_commit` gave when the checkpoint was made.
struct ChangesAt {
  Changes since_base, since_last_commit;
};
ChangesAt changes_at(const fs::path& repository, const std::string& run,
                     const std::string& checkpoint);

// The commit that the run started from; empty where that cannot be told any more. Never throws.
std::string start_of(const fs::path& repository, const std::string& run) noexcept;

// What makes the tree of one checkpoint into that of another, for `git apply`: UTF-8 text, binary
// files included; empty where they are equal.
std::string patch(const fs::path& repository, const std::string& from, const std::string& to);

}  // namespace agneto::workspace
