// A git folder that a program in a sandbox has to itself, in place of that of its worktree.
//
// It begins with the worktree's HEAD and index, the repository's branches and tags, and those of
// its settings that say what a file's text is. Objects are read from the repository and written
// beside it. So a program can commit, branch and stash as it likes, and nothing of that is in the
// repository: what it has left in the worktree's files is its work.
#pragma once

#include <filesystem>
#include <string>

namespace agneto::run {

// The configuration of such git folders, from that of the repository and its person. Throws Error.
std::string private_git_config(const std::filesystem::path& git);

class PrivateGit {
 public:
  // Makes one in the folder `parent`, with that configuration. `git`: the git folder of the
  // repository that has the worktree. Throws Error, DiskFull where there is no room.
  PrivateGit(const std::filesystem::path& parent, const std::filesystem::path& git,
             const std::filesystem::path& worktree, const std::string& config);
  ~PrivateGit();
  PrivateGit(const PrivateGit&) = delete;
  PrivateGit& operator=(const PrivateGit&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  // A file that leads to it, as it is to stand in the worktree as `.git`.
  std::filesystem::path link() const { return folder_ / "agneto-link"; }

 private:
  void fill(const std::filesystem::path& git, const std::filesystem::path& worktree) const;
  void copy_refs(const std::filesystem::path& git) const;
  void put(const char* name, const std::string& text) const;

  std::filesystem::path folder_;
};

}  // namespace agneto::run
