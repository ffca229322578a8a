#include <fmt/format.h>

#include <exception>
#include <system_error>

#include "workspace/git.h"
#include "workspace/refs.h"
#include "workspace/worktree.h"

namespace agneto::workspace {

void remove(const Create& request) noexcept {
  take_down(request, Branch::remove_unmoved);
}

void take_down(const Create& request, Branch branch) noexcept {
  try {
    const Git git(request.repository);
    const Refs refs(request.run);
    std::error_code ignored;
    fs::remove_all(request.worktree, ignored);
    git.run({"worktree", "prune"});
    std::string deletions;
    if (branch == Branch::remove) deletions = fmt::format("delete {}\n", refs.full_branch);
    if (branch == Branch::remove_unmoved) {
      // Whoever moved the branch meanwhile wants it.
      const auto began =
          split(git.run({"rev-parse", "--quiet", "--verify", refs.last}).output, '\n');
      if (began.empty()) return;
      deletions = fmt::format("delete {} {}\n", refs.full_branch, began[0]);
    }
    for (const auto& ref : split(
             git.run({"for-each-ref", "--format=%(refname)", "refs/agneto/" + request.run}).output,
             '\n')) {
      deletions += fmt::format("delete {}\n", ref);
    }
    git.run({"update-ref", "--stdin"}, deletions);
  } catch (const std::exception&) {
    // What is left is a branch and a folder that `git branch -D` and `rm` remove.
  }
}

}  // namespace agneto::workspace
