#include "workspace/branch_work.h"

#include "base/log.h"
#include "base/text.h"
#include "workspace/refs.h"
#include "workspace/worktree/git_folder.h"
#include "workspace/worktree/kept_settings.h"

namespace agneto::workspace {
namespace {

constexpr std::string_view branch_prefix = "agneto/";

// How many commits the branch has since then; nothing where one of the two is missing.
std::optional<std::string> commits_since(const Git& git, const std::string& since,
                                         const std::string& branch) {
  auto counted = git.run({"rev-list", "--count", since + ".." + branch, "--"});
  if (counted.status != 0) return std::nullopt;
  return std::string(trim(counted.output));
}

// Empty: there is no such commit.
std::string short_commit(const Git& git, const std::string& name) {
  return std::string(
      trim(git.run({"rev-parse", "--verify", "--quiet", "--short=12", name + "^{commit}"}).output));
}

// Others may be at work in the worktree, so nothing is locked there.
std::string left_in_worktree(const Git& git, const fs::path& worktree) {
  const auto folder = find_git_folder(common_folder(git), worktree);
  if (!folder || !fs::is_directory(worktree) || is_led_away(worktree, folder)) return {};
  const auto status = in_worktree(git, worktree, *folder)
                          .run({"status", "--porcelain", "-z", "--no-renames",
                                "--untracked-files=all", "--ignore-submodules=dirty"});
  std::vector<std::string> files;
  for (const std::string& line : split(status.output, '\0')) {
    if (status.status == 0) files.push_back(line.substr(3));
  }
  return files.empty() ? "" : listed(files) + " in " + worktree.string();
}

}  // namespace

bool is_merged(const Git& git, const std::string& branch, const std::string& commit) {
  if (git.run({"merge-base", "--is-ancestor", commit, branch}).status == 0) return true;
  const auto merged = git.run({"merge-tree", "--write-tree", branch, commit});
  return merged.status == 0 && trim(merged.output) == git.text({"rev-parse", branch + "^{tree}"});
}

BranchWork branch_work(const fs::path& repository, const std::string& base,
                       const std::string& branch) noexcept {
  BranchWork work;
  try {
    if (branch.empty()) return work;
    const fs::path worktrees = repository / ".agneto/worktrees";
    const std::string run = branch.substr(branch_prefix.size());
    const Git git(repository);
    const Refs refs(run);
    work.kept = split(git.text({"for-each-ref", "--sort=version:refname",
                                "--format=git diff %(refname)^ %(refname)", refs.rescued + "*"}),
                      '\n');
    const bool has_base = base.size() < 40 && commits_since(git, base, branch);
    const std::string since = has_base ? base : short_commit(git, refs.base);
    const auto commits = since.empty() ? std::nullopt : commits_since(git, since, branch);
    if (commits.value_or("0") != "0") work.log_command = "git log -p " + since + ".." + branch;

    require_kept_settings(worktrees);
    work.left = left_in_worktree(git, worktrees / run);
    work.merged = has_base && commits_since(git, refs.base, branch).value_or("0") != "0" &&
                  is_merged(git, base, branch);
  } catch (const std::exception& error) {
    log::warning("what is on a branch cannot be read",
                 {{"branch", branch}, {"error", error.what()}});
  }
  return work;
}

}  // namespace agneto::workspace
