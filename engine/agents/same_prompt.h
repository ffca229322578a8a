// Is a prompt the one that was recorded? Of two runs of the same workflow over the same work, what
// differs by itself is not compared: the run's id, where the repository lies, ids of commits, and
// secrets.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/redact.h"

namespace agneto::agents {

// The prompt as any such run has it: "{run}", "{repository}" and "{commit}" stand for what differs,
// and no secret is in it. `folder`: the repository, or a worktree that Agneto has made in it.
std::string portable_prompt(const std::string& prompt, const Redactor& redactor,
                            const std::string& run, const std::filesystem::path& folder);

// What differs from a portable one, as a diff of lines; none: nothing.
std::vector<std::string> prompt_difference(const std::string& recorded, const std::string& now);

}  // namespace agneto::agents
