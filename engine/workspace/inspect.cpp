#include "workspace/inspect.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "workspace/diff.h"
#include "workspace/git.h"
#include "workspace/locks.h"
#include "workspace/refs.h"
#include "workspace/worktree/git_folder.h"
#include "workspace/worktree/kept_settings.h"
#include "workspace/worktree/stage.h"
#include "workspace/worktree/worktree.h"

namespace agneto::workspace {
namespace {

// What git has of a worktree that was moved with its repository, so that nobody has told git.
std::optional<fs::path> folder_of_moved(const fs::path& common, const fs::path& worktree) {
  const auto link = Disk().read(worktree / ".git");
  if (!link) return std::nullopt;
  const fs::path folder = common / "worktrees" / fs::path(trim(*link)).filename();
  const auto back = Disk().read(folder / "gitdir");
  if (!back || fs::exists(trim(*back))) return std::nullopt;
  return folder;
}

// The files as they are, as a tree; the worktree's own index stays as it is.
std::string tree_of(const Git& git, const fs::path& worktree, const fs::path& folder) {
  static std::atomic<int> looks = 0;  // several threads may look at the same time
  const fs::path index = folder / fmt::format("agneto-look-{}-{}", getpid(), ++looks);
  std::error_code ignored;
  fs::copy_file(folder / "index", index, fs::copy_options::overwrite_existing, ignored);
  const Git scratch = in_worktree(git, worktree, folder).with({{"GIT_INDEX_FILE", index}});
  std::string tree;
  try {
    stage_all(scratch);
    tree = scratch.text({"write-tree"});
  } catch (...) {
    fs::remove(index, ignored);
    throw;
  }
  fs::remove(index, ignored);
  return tree;
}

}  // namespace

Range changes_of(const Place& place, bool committed) {
  forget_caller_repository();
  require_kept_settings(place.worktree.parent_path());
  const Git git(place.repository);
  const Refs refs(place.run);
  Range range{commit_of(git, refs.base), ""};
  if (range.from.empty()) {
    throw Error(
        "where run " + place.run + " started is not known any more: " + refs.base + " is gone",
        "it was cleaned; its merge, if there was one, is in 'git log'");
  }
  std::error_code ignored;
  if (!committed && fs::exists(place.worktree, ignored)) {
    const fs::path common = common_folder(git);
    auto folder = find_git_folder(common, place.worktree);
    if (!folder) folder = folder_of_moved(common, place.worktree);
    if (is_led_away(place.worktree, folder)) {
      throw Error(fmt::format("{}: a link leads from here to {}, where the run has not worked",
                              place.worktree.string(),
                              fs::weakly_canonical(place.worktree, ignored).string()),
                  "remove that link, and put the folder back in which the run has worked");
    }
    if (folder) {
      range.to = tree_of(git, place.worktree, *folder);
      return range;
    }
  }
  range.to = commit_of(git, refs.full_branch);
  if (range.to.empty()) range.to = commit_of(git, refs.last);
  if (range.to.empty()) throw branch_is_gone(refs.branch, range.from);
  return range;
}

std::string diff_of(const Place& place, bool committed) {
  const Range range = changes_of(place, committed);
  return compare(Git(place.repository), range.from, range.to).diff;
}

std::vector<std::string> files_of(const Place& place, bool committed) {
  const Range range = changes_of(place, committed);
  return changed_names(Git(place.repository), range.from, range.to).files;
}

std::vector<Commit> commits_of(const Place& place) {
  const Range range = changes_of(place, true);
  const std::string log =
      Git(place.repository)
          .text({"log", "--reverse", "--first-parent", "--max-count=10000", "-z",
                 "--format=%H%x1f%aI%x1f%s", range.from + ".." + range.to, "--"});
  std::vector<Commit> commits;
  for (const std::string& line : split(log, '\0')) {
    const auto parts = split(line, '\x1f');
    if (parts.size() < 2) continue;
    commits.push_back({parts[0], parts[1], parts.size() > 2 ? printable(parts[2]) : ""});
  }
  return commits;
}

std::string diff_of_commit(const Place& place, const std::string& commit) {
  forget_caller_repository();
  require_kept_settings(place.worktree.parent_path());
  const Git git(place.repository);
  return compare(git, commit + "^", commit).diff;
}

std::string work_of(const Place& place) {
  const Range whole = changes_of(place, false);
  const Git git(place.repository);
  const std::string last = commit_of(git, Refs(place.run).last);
  std::string fresh;
  if (!last.empty()) fresh = compare(git, last, whole.to).diff;
  return fresh.empty() ? compare(git, whole.from, whole.to).diff : fresh;
}

Inspection inspect(const Place& place, const std::vector<std::string>& commits) {
  forget_caller_repository();
  const Git git(place.repository);
  const Refs refs(place.run);
  Inspection found;
  std::error_code ignored;
  found.folder = fs::exists(place.worktree, ignored);
  const fs::path common = common_folder(git);
  const auto folder = find_git_folder(common, place.worktree);
  found.registered = folder.has_value();
  if (found.folder && is_led_away(place.worktree, folder)) {
    found.leads_to = fs::weakly_canonical(place.worktree, ignored);
  }
  found.moved = !found.registered && folder_of_moved(common, place.worktree).has_value();
  found.tip = commit_of(git, refs.full_branch);
  found.last = commit_of(git, refs.last);
  found.base = !commit_of(git, refs.base).empty();
  for (const auto& at : checked_out_elsewhere(git, refs.full_branch, place.worktree)) {
    if (fs::exists(at)) found.checked_out = at;
  }
  for (const auto& commit : commits) {
    if (commit_of(git, commit).empty()) found.missing.push_back(commit);
  }
  found.locks = ref_locks(common, place.run, Whose::and_forks);
  for (const char* name : {"index.lock", "HEAD.lock", "ORIG_HEAD.lock"}) {
    if (folder && fs::exists(*folder / name, ignored)) found.locks.push_back(*folder / name);
  }
  return found;
}

}  // namespace agneto::workspace
