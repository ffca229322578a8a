// Applying the file edits of an answer that no program made.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace agneto::agents {

// Path -> text; nothing: delete the file.
using Edits = std::vector<std::pair<std::string, std::optional<std::string>>>;

// Writes them below `folder`, in order. Throws Error for a path that leaves the folder or touches
// its .git, and where a file cannot be written, DiskFull where there is no room for it; earlier
// edits stand then.
void apply(const Edits& edits, const std::filesystem::path& folder);

// Applies a unified diff as `git apply` does, binary files included: all of it or nothing. Git
// refuses what leaves the folder. Throws Error with the reason, DiskFull where there is no room.
void apply_patch(const std::string& patch, const std::filesystem::path& folder);

}  // namespace agneto::agents
