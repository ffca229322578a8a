// Runs that several machines work on, one after another: a run's branch, its checkpoints and its
// forks travel through a hub, a git repository that all of the machines reach.
//
// Each push names the turn that the one before it has left in the hub (refs/agneto/RUN/turn), and
// leaves another. So a machine that takes a run refuses whatever any other still pushes of it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "workspace/workspace.h"

namespace agneto::workspace {

class HubClone;

// The run is another machine's by now, or was removed: nothing that is done to it here counts any
// more, and whoever works on it ends.
class HubTaken : public CutOff {
 public:
  using CutOff::CutOff;
};

// The hub was not reached for some 30 seconds. `shown` and `why` have no password in them.
class HubAway : public CutOff {
 public:
  HubAway(const std::string& shown, std::string why);
  const std::string& why() const { return why_; }

 private:
  std::string why_;
};

// A hub as this machine sees it: one clone, which all runs of that hub share. Thread-safe; several
// processes may use the same clone. All of it throws HubAway, and Error for what git refuses.
class Hub {
 public:
  // The address is a path, or an address as git takes it: file://, ssh://, HOST:PATH, https://.
  // Throws Error for what is none, and for one with a password in it. Nothing is fetched yet.
  Hub(const fs::path& cache, const std::string& address);
  // Tests have a clock by which pauses take no time; it outlives the hub and its workspaces.
  Hub(const fs::path& cache, const std::string& address, Clock& clock);

  // CACHE/NAME-HASH: its branches are the hub's, but for those of runs; its own HEAD is detached,
  // at the hub's default branch, so that the team's .agneto/config.yaml is there.
  const fs::path& clone() const;

  // Makes the clone, as a whole or not at all, or brings its branches, tags and files to where the
  // hub is. A branch that only the clone has is gone. Files that nobody committed stay.
  void bring_up();

  // Takes the run for this machine, and gives its workspace, whose changes are in the hub when a
  // call of it returns; they throw HubTaken and HubAway, too. Whatever another machine still pushes
  // of the run is refused from here on. An empty base is the hub's default branch. `open`: what the
  // clone has of the run counts only where no other machine has worked on it since; otherwise the
  // worktree is made anew and `intact()` is false. Throw Error as workspace::create and
  // workspace::open do, and where another process of this machine has the run open.
  std::unique_ptr<Workspace> create(const std::string& run, const std::string& base);
  std::unique_ptr<Workspace> open(const std::string& run);
  // As workspace::copy: takes `to`, which is in neither the hub nor this clone.
  std::unique_ptr<Workspace> copy(const std::string& from, const std::string& to);

  // Brings what the hub has of the run into the clone, for those who only read. Where somebody on
  // this machine has the run open, the clone has the newest, and nothing is done. Throws Error
  // where the hub does not know the run.
  void look(const std::string& run);

  // Removes what the clone has of a run that has ended, all of which is in the hub. Does nothing
  // where somebody on this machine has it open.
  void forget(const std::string& run);
  // Packs the clone's objects where there are many by now.
  void pack();

  // Removes all there is of the run and its forks, in the hub first and then here.
  void remove(const std::string& run);

 private:
  std::shared_ptr<HubClone> clone_;
};

}  // namespace agneto::workspace
