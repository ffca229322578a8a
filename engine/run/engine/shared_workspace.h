// A workspace as the engine's thread and its workers share it.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workspace/workspace.h"

namespace agneto::run {

namespace fs = std::filesystem;

// What those who work in a tree need of it: one lock, and a memory of what has not changed, since
// to ask git costs time. Thread-safe.
class SharedTree {
 public:
  // `tree`, which is in that folder and on that branch, outlives this.
  SharedTree(workspace::Checkpoints& tree, fs::path path, std::string branch = {})
      : tree_(tree), path_(std::move(path)), branch_(std::move(branch)) {}

  const fs::path& path() const { return path_; }

  // Says that somebody may have written to the tree.
  void touched();

  std::string checkpoint(const std::string& label);
  void restore(const std::string& checkpoint);
  // Restores it; what that takes away is kept. Says how to have it back, of `what`; empty: nothing
  // is taken away.
  std::string put_back(const std::string& checkpoint, const std::string& what);
  bool intact();
  std::string obstacle_to_commit();
  void lend(bool to_edit);
  void give_back();
  std::vector<std::string> put_right();
  std::vector<std::string> left_changed();
  // Undoes what a call changed that had no right to; true if there was something to undo.
  bool undo_since(const std::string& checkpoint);

 protected:
  struct Memory {
    std::optional<std::string> checkpoint;
    std::optional<workspace::Changes> since_base;
    std::optional<workspace::Changes> since_last_commit;
  };
  std::mutex mutex_;
  Memory memory_;

 private:
  workspace::Checkpoints& tree_;
  const fs::path path_;
  const std::string branch_;
};

// Adds what the engine itself does with a workspace: it shows what has changed, commits and forks.
// Thread-safe.
class SharedWorkspace : public SharedTree {
 public:
  explicit SharedWorkspace(workspace::Workspace& workspace)
      : SharedTree(workspace, workspace.path(), workspace.branch()), workspace_(workspace) {}

  workspace::Changes since_base();
  workspace::Changes since_last_commit();

  // What `work` returns; it gets the workspace for itself. `change` is for work that writes.
  template <typename Work>
  auto use(const Work& work) {
    const std::lock_guard lock(mutex_);
    return work(workspace_);
  }
  template <typename Work>
  auto change(const Work& work) {
    touched();
    return use(work);
  }

 private:
  workspace::Workspace& workspace_;
};

}  // namespace agneto::run
