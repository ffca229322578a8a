// A workspace as the engine's thread and its workers share it.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "workspace/workspace.h"

namespace agneto::run {

namespace fs = std::filesystem;

// One lock, and a memory of what has not changed: to ask git costs time. Thread-safe.
class SharedWorkspace {
 public:
  explicit SharedWorkspace(workspace::Workspace& workspace) : workspace_(workspace) {}

  const fs::path& path() const { return workspace_.path(); }
  const std::string& branch() const { return workspace_.branch(); }

  // Says that somebody may have written to the tree.
  void touched();

  std::string checkpoint(const std::string& label);
  void restore(const std::string& checkpoint);
  // Restores it; what that takes away is kept. Says how to have it back, of `what`; empty: nothing
  // is taken away.
  std::string put_back(const std::string& checkpoint, const std::string& what);
  bool intact();
  std::string obstacle_to_commit();
  void lend();
  std::vector<std::string> put_right();
  // Undoes what a call changed that had no right to; true if there was something to undo.
  bool undo_since(const std::string& checkpoint);

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
  std::mutex mutex_;
  std::optional<std::string> checkpoint_;
  std::optional<workspace::Changes> since_base_;
  std::optional<workspace::Changes> since_last_commit_;
};

}  // namespace agneto::run
