// The workspaces of a run: its own, and those of the items of a for_each that have one each.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/machine.h"
#include "run/engine/shared_workspace.h"

namespace agneto::run {

// A workspace is known by its item's path; the run's own by the empty one. For the engine's thread
// only; the workspaces that it hands out are for all. Throws Error where git fails.
class Worktrees {
 public:
  // `left`: the checkpoint of each workspace as the run left it, read and kept up to date. What is
  // given outlives this.
  Worktrees(const model::System& system, workspace::Workspace& own,
            std::map<std::string, std::string>& left)
      : system_(system), own_(own), left_(left) {}

  // The item in whose workspace the activity (or the inner item) with that path works.
  std::string item_of(const std::string& path) const;
  // The workspace of that activity. An item's is opened when it is first asked for.
  SharedWorkspace& of(const std::string& path) { return at(item_of(path)); }
  SharedWorkspace& at(const std::string& item);
  // What the workspace around the item calls the item's own.
  std::string label_of(const std::string& item) const;

  // Remembers how an activity left the workspace there; empty: nothing has changed there yet.
  void leave(const std::string& item, std::string checkpoint);
  std::string left(const std::string& item) const;
  // The item's workspace is gone.
  void forget(const std::string& item);

  // Makes the workspace as it was at the checkpoint, even where somebody deleted its folder.
  // Whether a person or a call that was cut off made what is undone cannot be told, so all of it is
  // kept. Returns what people are to know of that.
  std::vector<std::string> put_back(const std::string& item, const std::string& checkpoint);
  // Makes the workspace anew, as it was left, where somebody deleted its folder; true: it did. The
  // folder lacks then what a set-up makes, of which the next activity there takes care.
  bool mend(const std::string& item);
  bool take_unfurnished(const std::string& item) { return unfurnished_.erase(item) > 0; }

  static constexpr const char* made_anew =
      "the worktree was deleted; it is made anew as it was at the last checkpoint";

 private:
  struct Fork {
    explicit Fork(std::unique_ptr<workspace::Workspace> opened)
        : workspace(std::move(opened)), shared(*workspace) {}
    std::unique_ptr<workspace::Workspace> workspace;
    SharedWorkspace shared;
  };

  const model::System& system_;
  SharedWorkspace own_;
  std::map<std::string, std::string>& left_;
  std::map<std::string, std::unique_ptr<Fork>> forks_;  // by item
  std::set<std::string> unfurnished_;                   // items
};

}  // namespace agneto::run
