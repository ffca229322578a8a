// The files of a folder as they are at a moment, by their marks alone: to see afterwards which of
// them were changed, where there is no git to record what they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace agneto::workspace {

struct Listing {
  // What every change of a file's content, kind, mode or name gives another value.
  struct Mark {
    std::uint64_t inode = 0;
    std::uint32_t mode = 0;
    std::int64_t size = 0;
    std::int64_t changed = 0;  // nanoseconds; the file system sets it, and nobody else can

    bool operator==(const Mark&) const = default;
  };
  std::map<std::string, Mark> files;  // by their paths in the folder
  bool whole = true;                  // false: the folder has more files
};

// At most so many files. In a repository those that git does not ignore; anywhere else all, those
// nearest to the top first. What is in `.git` is left out, and of `.agneto` all but what is the
// team's. Never throws for what cannot be read.
Listing list(const std::filesystem::path& folder, std::size_t most);

// The paths of files that are not in both as they were. One that only one of them has does not
// count where the other has not all.
std::vector<std::string> difference(const Listing& before, const Listing& after);

}  // namespace agneto::workspace
