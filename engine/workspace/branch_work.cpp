#include "workspace/branch_work.h"

#include "base/log.h"
#include "base/text.h"
#include "workspace/refs.h"

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

// Others may be at work in the worktree, so nothing is locked there.
std::string left_in_worktree(const Git& git, const Refs& refs) {
  const std::string path = git.text({"for-each-ref", "--format=%(worktreepath)", refs.full_branch});
  if (!std::filesystem::is_directory(path)) return {};
  const auto status = Git(path).run({"--no-optional-locks", "status", "--porcelain", "-z",
                                     "--no-renames", "--untracked-files=all"});
  std::vector<std::string> files;
  for (const std::string& line : split(status.output, '\0')) {
    if (status.status == 0) files.push_back(line.substr(3));
  }
  return files.empty() ? "" : listed(files) + " in " + path;
}

}  // namespace

bool is_merged(const Git& git, const std::string& branch, const std::string& commit) {
  if (git.run({"merge-base", "--is-ancestor", commit, branch}).status == 0) return true;
  const auto merged = git.run({"merge-tree", "--write-tree", branch, commit});
  return merged.status == 0 && trim(merged.output) == git.text({"rev-parse", branch + "^{tree}"});
}

BranchWork branch_work(const std::filesystem::path& repository, const std::string& base,
                       const std::string& branch) noexcept {
  try {
    if (branch.empty()) return {};
    const Git git(repository);
    const Refs refs(branch.substr(branch_prefix.size()));
    BranchWork work;
    work.kept = split(git.text({"for-each-ref", "--sort=version:refname",
                                "--format=git diff %(refname)^ %(refname)", refs.rescued + "*"}),
                      '\n');
    work.left = left_in_worktree(git, refs);
    std::string since = base;
    auto commits = commits_since(git, since, branch);
    if (commits && base.size() < 40) {
      work.merged = commits_since(git, refs.base, branch).value_or("0") != "0" &&
                    is_merged(git, base, branch);
    } else {
      auto start =
          git.run({"rev-parse", "--verify", "--quiet", "--short=12", refs.base + "^{commit}"});
      if (start.status != 0) return work;
      since = std::string(trim(start.output));
      commits = commits_since(git, since, branch);
    }
    if (commits && *commits != "0") work.log_command = "git log -p " + since + ".." + branch;
    return work;
  } catch (const std::exception& error) {
    log::warning("what is on a branch cannot be read",
                 {{"branch", branch}, {"error", error.what()}});
    return {};
  }
}

}  // namespace agneto::workspace
