// What a run committed, for a person to look at.
#pragma once

#include <filesystem>
#include <string>

namespace agneto::workspace {

struct BranchWork {
  std::string look;     // the git command that shows its commits; empty where there is none
  bool merged = false;  // there are commits, and the base branch has all that they changed
};

// The commits of `branch` since `base`, or, where the base branch is gone, since the commit that
// the run started from. Empty where there are none, or the branch is gone. Never throws.
BranchWork work_on(const std::filesystem::path& repository, const std::string& base,
                   const std::string& branch) noexcept;

}  // namespace agneto::workspace
