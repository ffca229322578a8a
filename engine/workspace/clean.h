// Taking away what a run has left in the repository, but no work that is nowhere else.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace agneto::workspace {

namespace fs = std::filesystem;

struct Cleaning {
  fs::path repository;
  fs::path worktrees;  // .agneto/worktrees
  std::string run;
  // Branches that its work may have been merged into, and the commits by which it was, as far as
  // they are known.
  std::vector<std::string> into;
  std::vector<std::string> merges;
  bool discard_uncommitted = false;  // what is not committed in its worktrees is of no use
  bool force = false;                // remove everything, whatever is lost
  bool dry_run = false;              // only say what would be done
};

// In words, for people: "branch agneto/x", "worktree …: it has changes that are not committed".
struct Cleaned {
  std::vector<std::string> removed;
  std::vector<std::string> kept;
};

// A run of which the repository has private refs, or a worktree.
struct Trace {
  std::string run;
  std::string base;  // the branch that it started from; empty: none, or unknown
};
// Those of all runs whose worktrees are, or were, in that folder. Throws Error where git cannot be
// asked.
std::vector<Trace> traces_of_runs(const fs::path& repository, const fs::path& worktrees);

// The run's worktree, branch and private refs, and those of its items. A branch stays, with its
// refs, where it has commits whose changes are in none of `into`, or somebody has it checked out; a
// worktree where it has changes that are not committed. The caller sees to it that nobody works on
// the run. Throws Error where git cannot be asked.
Cleaned clean(const Cleaning& cleaning);

}  // namespace agneto::workspace
