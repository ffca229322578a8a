// What a run committed, and whether that is in another branch already; and what was put aside.
#pragma once

#include <string>
#include <vector>

#include "workspace/git.h"

namespace agneto::workspace {

struct BranchWork {
  std::string log_command;  // "git log -p main..agneto/RUN" shows the commits; empty: none
  bool merged = false;      // there are commits, and the base branch has all that they changed
  // "git diff REF^ REF" shows what was undone and kept, of a call that was cut off and the like.
  std::vector<std::string> kept;
  // "a.txt, b.txt in PATH": the files in its worktree that are not committed; empty: none.
  std::string left = {};
};

// The commits of `branch` since `base`, or, where the base branch is gone, since the commit that
// the run started from. Nothing of these where the branch has none or is gone. While git may start
// what somebody has named in its configuration, neither `merged` nor `left` is known. `repository`
// is the main checkout. Never throws.
BranchWork branch_work(const std::filesystem::path& repository, const std::string& base,
                       const std::string& branch) noexcept;

// Would merging `commit` into `branch` change nothing? A squashed merge is found out this way too.
// Throws Error where there is no such branch.
bool is_merged(const Git& git, const std::string& branch, const std::string& commit);

}  // namespace agneto::workspace
