// Tree and branch as they were.
#include <system_error>

#include "base/log.h"
#include "workspace/locks.h"
#include "workspace/worktree/git_folder.h"
#include "workspace/worktree/worktree.h"

namespace agneto::workspace {

void Worktree::restore(const std::string& checkpoint) {
  attach();
  const Saved then = saved(checkpoint);
  reset(then.tree, then.head, then.last);
  find_effects();
}

// What killed git commands and unfinished merges leave, all of it in the worktree's own folder.
void Worktree::clear_stale_state() const {
  fs::remove(folder_ / "index.lock");
  clear_unfinished();
  clear_stale_locks();
}

void Worktree::clear_unfinished() const {
  for (const char* name :
       {"MERGE_HEAD", "MERGE_AUTOSTASH", "MERGE_MODE", "MERGE_MSG", "MERGE_RR", "MERGE_RR.lock",
        "AUTO_MERGE", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "SQUASH_MSG", "BISECT_LOG",
        "BISECT_START", "BISECT_NAMES", "BISECT_TERMS", "BISECT_EXPECTED_REV", "rebase-merge",
        "rebase-apply", "sequencer"}) {
    fs::remove_all(folder_ / name);
  }
}

// Nobody else writes the run's own refs while the engine changes them.
void Worktree::clear_stale_locks() const {
  for (const char* name : {"HEAD.lock", "ORIG_HEAD.lock"}) remove_lock(folder_ / name);
  clear_ref_locks(state_.common, state_.run, Whose::own);
}

// What is not in the scratch index is about to be removed; the commits of a repository in there are
// nowhere else.
void Worktree::tell_lost_repositories() const {
  for (const std::string& path :
       split(scratch_.text({"ls-files", "-z", "--others", "--directory", "--exclude-standard"}),
             '\0')) {
    if (!path.ends_with('/')) continue;
    std::error_code none;
    fs::recursive_directory_iterator inside(state_.path / path, none);
    for (; inside != fs::recursive_directory_iterator(); inside.increment(none)) {
      if (inside->path().filename() != ".git") continue;
      inside.disable_recursion_pending();
      log::warning("a git repository inside the worktree is removed, with its commits",
                   {{"folder", inside->path().parent_path().string()}});
    }
  }
}

// Safe to be cut off anywhere: done again, it ends the same.
void Worktree::reset(const std::string& tree, const std::string& head, const std::string& last) {
  if (!on_branch()) require_own_branch(git_, refs_, state_.path);
  clear_stale_state();
  copy_index_to_scratch();
  scratch_.text({"read-tree", "--reset", "-u", tree});
  tell_lost_repositories();
  scratch_.text({"clean", "-ffdq"});
  fs::rename(scratch_index_, index_);
  point(head, last);
  // What the checkpoint had beyond the branch is uncommitted again.
  if (tree != head + "^{tree}") {
    const bool is_sparse = fs::exists(folder_ / "info/sparse-checkout");
    if (is_sparse) {
      git_.text({"checkout-index", "-z", "--force", "--stdin"}, unhide(head, tree));
    }
    git_.text({"read-tree", "--reset", head});
    if (is_sparse) unhide(tree, head);
  }
  own_index_time_ = fs::last_write_time(index_);
  fs::remove(mark_of_renewal(state_.common, state_.run));
  renewed_ = false;
}

// Git leaves out of a sparse checkout what its patterns leave out, also what somebody has changed
// there. Shows it the files of the index, which is `there`, that differ from those of `other`, and
// returns them, each with a NUL behind it.
std::string Worktree::unhide(const std::string& other, const std::string& there) const {
  std::string files = git_.text({"diff-tree", "-r", "--name-only", "-z", "--no-renames",
                                 "--diff-filter=d", other, there, "--"});
  git_.text({"update-index", "-z", "--no-skip-worktree", "--stdin"}, files);
  return files;
}

bool Worktree::on_branch() const {
  return text_of(folder_ / "HEAD") == "ref: " + refs_.full_branch;
}

// HEAD to the branch, the branch to `head`.
void Worktree::point(const std::string& head, const std::string& last) {
  if (!on_branch()) git_.text({"symbolic-ref", "HEAD", refs_.full_branch});
  git_.text(
      {"update-ref", "-m", "agneto", "--stdin"},
      "update " + refs_.full_branch + " " + head + "\nupdate " + refs_.last + " " + last + "\n");
  state_.last = state_.refs[refs_.last] = last;
  state_.refs[refs_.full_branch] = head;
}

}  // namespace agneto::workspace
