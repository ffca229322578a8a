#include "workspace/worktree/git_folder.h"

#include <fmt/format.h>

#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace agneto::workspace {

fs::path real(const fs::path& path) {
  std::error_code code;
  const fs::path result = fs::weakly_canonical(path, code);
  return code ? path.lexically_normal() : result;
}

std::string text_of(const fs::path& file) {
  std::string text = Disk().read(file).value_or("");
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

std::optional<fs::path> find_git_folder(const fs::path& common, const fs::path& worktree) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(common / "worktrees", code)) {
    if (real(fs::path(text_of(entry.path() / "gitdir")).parent_path()) == real(worktree)) {
      return entry.path();
    }
  }
  return std::nullopt;
}

bool is_led_away(const fs::path& worktree, const std::optional<fs::path>& folder) {
  const fs::path here = real(worktree);
  return here != worktree.lexically_normal() &&
         (!folder || here != fs::path(text_of(*folder / "gitdir")).parent_path());
}

fs::path mark_of_renewal(const fs::path& common, const std::string& run) {
  return common / "agneto-renewed" / run;
}

void forget_worktree(const Git& git, const fs::path& common, const fs::path& worktree) {
  std::error_code none;
  // One that was killed early has not noted yet where the worktree is.
  const fs::path unfinished = common / "worktrees" / worktree.filename();
  if (!fs::exists(unfinished / "gitdir", none)) fs::remove(unfinished / "locked", none);
  if (const auto folder = find_git_folder(common, worktree)) fs::remove(*folder / "locked", none);
  fs::remove(mark_of_renewal(common, worktree.filename()), none);
  git.run({"worktree", "prune"});
}

Git in_worktree(const Git& git, const fs::path& worktree, const fs::path& folder) {
  return git.in(worktree).with({{"GIT_DIR", folder},
                                {"GIT_COMMON_DIR", folder.parent_path().parent_path()},
                                {"GIT_WORK_TREE", worktree}});
}

std::vector<std::string> checked_out_elsewhere(const Git& git, const std::string& branch,
                                               const fs::path& worktree) {
  std::vector<std::string> found;
  std::string folder;
  for (const std::string& line : split(git.text({"worktree", "list", "--porcelain", "-z"}), '\0')) {
    if (line.starts_with("worktree ")) folder = line.substr(9);
    if (line == "branch " + branch && real(folder) != real(worktree)) found.push_back(folder);
  }
  return found;
}

void require_own_branch(const Git& git, const Refs& refs, const fs::path& worktree) {
  for (const std::string& path : checked_out_elsewhere(git, refs.full_branch, worktree)) {
    if (fs::exists(path)) {
      throw Error(fmt::format("branch '{}' is checked out in {}, so the run cannot work on it",
                              refs.branch, path),
                  fmt::format("check out another branch there: git -C {} switch -", path));
    }
  }
}

}  // namespace agneto::workspace
