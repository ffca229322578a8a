// Files that a call is given with its prompt.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/files.h"

namespace agneto::agents {

struct AttachedFile {
  std::string path;                 // below the worktree
  std::optional<std::string> text;  // none: it is no text, such as an image, which agents open
};

struct Attachments {
  std::vector<AttachedFile> files;
  std::vector<std::string> unmatched = {};  // patterns that name no file
  std::string problem = {};                 // why the call cannot be given them; empty: it can
};

// Those below the folder that the patterns name, in their order, and of one pattern by the
// alphabet: paths with `*`, `?` and `[a-z]` within a name, and `**` for any folders. Where a path
// without these names nothing, or leads out of the folder, or it is too much, that is the problem.
// A stop ends the search, and what it gives then is of no use.
Attachments attach(const fs::path& folder, const std::vector<std::string>& patterns,
                   const std::stop_token& stop = {});

// The part of a message that shows them; empty where there are none.
std::string section_of(const std::vector<AttachedFile>& files);

}  // namespace agneto::agents
