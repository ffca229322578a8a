// The workspace as the engine's thread and its workers share it: one lock, and a memory of what
// has not changed, since asking git is what costs time.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "workspace/workspace.h"

namespace agneto::run {

namespace fs = std::filesystem;

// Thread-safe.
class Workbench {
 public:
  explicit Workbench(workspace::Workspace& workspace) : workspace_(workspace) {}

  // Somebody may have written to the tree.
  void touched();

  std::string checkpoint(const std::string& label);
  void restore(const std::string& checkpoint);
  std::string rescue(const std::string& checkpoint);
  bool intact();
  // Undoes what a call changed that had no right to; true if there was something to undo.
  bool undo_since(const std::string& checkpoint);

  // What hooks see as m.workspace: {diff, files, base, head} of the whole run's work, and the same
  // since the engine's last commit as `chunk`.
  workspace::Changes since_base();
  workspace::Changes since_last_commit();

  workspace::Outcome commit(const std::string& message, const std::string& effect);
  workspace::Outcome discard(const std::string& effect);
  workspace::Outcome merge(const workspace::MergeRequest& request);

  std::unique_ptr<workspace::Workspace> fork(const std::string& label);
  std::vector<workspace::Conflict> join(const workspace::Join& join);

  const workspace::Workspace& workspace() const { return workspace_; }
  fs::path path() const { return workspace_.path(); }
  std::string branch() const { return workspace_.branch(); }

 private:
  workspace::Workspace& workspace_;
  std::mutex mutex_;
  std::optional<std::string> checkpoint_;
  std::optional<workspace::Changes> since_base_;
  std::optional<workspace::Changes> since_last_commit_;
};

}  // namespace agneto::run
