// How a person sees what a run committed.
#pragma once

#include <filesystem>
#include <string>

namespace agneto::workspace {

// The git command that shows the commits of `branch` since `base`, or, where the base branch is
// gone, since the commit that the run started from. Empty where there are no commits, or the branch
// is gone. Never throws.
std::string look_command(const std::filesystem::path& repository, const std::string& base,
                         const std::string& branch) noexcept;

}  // namespace agneto::workspace
