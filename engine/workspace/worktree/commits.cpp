// What a workflow does with the work: it commits, discards or merges it.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "workspace/diff.h"
#include "workspace/worktree/git_folder.h"
#include "workspace/worktree/worktree.h"

namespace agneto::workspace {

const Git& Worktree::author() {
  if (!author_) author_ = with_identity(git_);
  return *author_;
}

// Effects of different runs have the same path; the run's name tells them apart in the base branch.
std::string Worktree::trailer(const std::string& effect) const {
  const std::string run = state_.run + "/";
  return effect.starts_with(run) ? effect : run + effect;
}

// Why a tree cannot be committed as it is: something was left out of it, or a commit would hold no
// file of a repository inside. A submodule of the project's is meant so.
std::string Worktree::why_not_committed(const Tree& tree, std::vector<std::string> found) const {
  if (!found.empty()) {
    // Each entry is its key, a line end, and the path.
    for (const std::string& entry :
         split(git_.run({"config", "-z", "--blob", tree.tree + ":.gitmodules", "--get-regexp",
                         "\\.path$"})
                   .output,
               '\0')) {
      std::erase(found, entry.substr(entry.find('\n') + 1));
    }
  }
  std::vector<std::string> reasons;
  for (const auto& [path, why] : left_out_) {
    if (path.ends_with('/')) {
      found.push_back(path.substr(0, path.size() - 1));
    } else {
      reasons.push_back(path + " cannot be committed: " + why);
    }
  }
  if (!found.empty()) {
    reasons.push_back(
        agneto::join(found, ", ") +
        ": a git repository of its own inside the worktree, whose files cannot be committed; "
        "remove its .git, or make it a submodule");
  }
  constexpr std::size_t most = 5;
  const std::size_t more = reasons.size() > most ? reasons.size() - most : 0;
  reasons.resize(reasons.size() - more);
  return agneto::join(reasons, "; ") + (more > 0 ? fmt::format("; and {} more", more) : "");
}

std::string Worktree::obstacle_to_commit() {
  const Tree tree = read_tree();
  return why_not_committed(tree, changed_names(git_, state_.last, tree.tree).repositories);
}

Result Worktree::commit(const std::string& message, const std::string& effect) try {
  clear_stale_locks();
  Result outcome;
  const std::string id = trailer(effect);
  if (const auto done = effects_.find(id); done != effects_.end()) {
    outcome.commit = done->second;
    outcome.files = changed_names(git_, done->second + "^", done->second).files;
    return outcome;
  }
  const Tree tree = read_tree();
  if (!tree.on_branch) require_own_branch(git_, refs_, state_.path);
  Names names = changed_names(git_, state_.last, tree.tree);
  if (std::string why = why_not_committed(tree, std::move(names.repositories)); !why.empty()) {
    return failed(std::move(why));
  }
  outcome.files = std::move(names.files);
  std::string head = state_.last;
  if (outcome.files.empty()) {
    outcome.message = "nothing to commit";
  } else {
    head = outcome.commit = author().text({"commit-tree", tree.tree, "-p", state_.last, "-F", "-"},
                                          with_trailer(message, id));
  }
  fs::rename(scratch_index_, index_);
  own_index_time_ = fs::last_write_time(index_);
  if (head != tree.head || !tree.on_branch) point(head, head);
  if (!outcome.commit.empty()) effects_[id] = head;
  return outcome;
} catch (const CutOff&) {
  throw;
} catch (const std::exception& error) {
  return failed(error.what());
}

Result Worktree::discard(const std::string& effect) try {
  attach();
  Result outcome;
  // Cut off after its checkpoint, it must not make another of the tree that it half discarded.
  outcome.commit = checkpoint_of(effect);
  if (outcome.commit.empty()) keep(effect, outcome.commit = snapshot(read_tree()));
  reset(state_.last + "^{tree}", state_.last, state_.last);
  return outcome;
} catch (const CutOff&) {
  throw;
} catch (const std::exception& error) {
  return failed(error.what());
}

Result Worktree::merge(const MergeRequest& request) try {
  clear_stale_locks();
  MergeRequest merge = request;
  merge.effect = trailer(request.effect);
  constexpr std::string_view heads = "refs/heads/";
  if (merge.into.empty() && state_.base_ref.starts_with(heads)) {
    merge.into = state_.base_ref.substr(heads.size());
  }
  return merge_branch(with_identity(Git(state_.repository)), state_.common, refs_, merge);
} catch (const CutOff&) {
  throw;
} catch (const std::exception& error) {
  return failed(error.what());
}

}  // namespace agneto::workspace
