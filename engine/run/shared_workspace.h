// The workspaces of a run, as the engine's thread and its workers share them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "model/machine.h"
#include "workspace/workspace.h"

namespace agneto::run {

namespace fs = std::filesystem;

// One workspace behind a lock, with a memory of what has not changed: to ask git costs time.
// Thread-safe.
class SharedWorkspace {
 public:
  explicit SharedWorkspace(workspace::Workspace& workspace) : workspace_(workspace) {}

  const fs::path& path() const { return workspace_.path(); }
  const std::string& branch() const { return workspace_.branch(); }

  // Says that somebody may have written to the tree.
  void touched();

  std::string checkpoint(const std::string& label);
  void restore(const std::string& checkpoint);
  bool intact();
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

// The run's own workspace, and those of the items of a for_each that have one each. A workspace is
// known by its item's path; the run's own by the empty one. For the engine's thread only; what it
// hands out is for all.
class SharedWorkspaces {
 public:
  SharedWorkspaces(const model::System& system, workspace::Workspace& own)
      : system_(system), own_(own) {}

  // The item in whose workspace the activity (or the inner item) with that path works.
  std::string item_of(const std::string& path) const;
  // The workspace of that activity. An item's is opened when it is first asked for. Throws Error.
  SharedWorkspace& of(const std::string& path) { return at(item_of(path)); }
  SharedWorkspace& at(const std::string& item);
  // What the workspace around the item calls the item's own.
  std::string label_of(const std::string& item) const;
  // The item's workspace is gone.
  void forget(const std::string& item) { forks_.erase(item); }

 private:
  struct Fork {
    explicit Fork(std::unique_ptr<workspace::Workspace> opened)
        : workspace(std::move(opened)), shared(*workspace) {}
    std::unique_ptr<workspace::Workspace> workspace;
    SharedWorkspace shared;
  };

  const model::System& system_;
  SharedWorkspace own_;
  std::map<std::string, std::unique_ptr<Fork>> forks_;  // by item
};

}  // namespace agneto::run
