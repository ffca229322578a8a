// The workbenches of a run: its own, and those of items of a for_each that work in their own
// workspaces.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "model/machine.h"
#include "run/workbench.h"

namespace agneto::run {

// A place is the path of such an item, or empty for the run's own workspace. Used on the engine's
// thread only; the workbenches themselves by all.
class Workbenches {
 public:
  Workbenches(const model::System& system, workspace::Workspace& own)
      : system_(system), own_(own) {}

  // Where the activity, or the item, with that path works.
  std::string place_of(const std::string& path) const;
  // The workbench there. One of an item is opened when it is first asked for. Throws Error.
  Workbench& of(const std::string& path) { return at(place_of(path)); }
  Workbench& at(const std::string& place);
  // What its place calls the item's workspace.
  std::string label_of(const std::string& item) const;
  // The item's workspace is gone.
  void forget(const std::string& item) { forks_.erase(item); }

 private:
  struct Fork {
    explicit Fork(std::unique_ptr<workspace::Workspace> opened)
        : workspace(std::move(opened)), bench(*workspace) {}
    std::unique_ptr<workspace::Workspace> workspace;
    Workbench bench;
  };

  const model::System& system_;
  Workbench own_;
  std::map<std::string, std::unique_ptr<Fork>> forks_;  // by place
};

}  // namespace agneto::run
