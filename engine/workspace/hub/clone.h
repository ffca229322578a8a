// A hub as this machine sees it: a clone of it, and the way there.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "process/fd.h"
#include "workspace/git.h"
#include "workspace/workspace.h"
#include "workspace/worktree/moved_refs.h"

namespace agneto::workspace {

// Thread-safe, as several processes may use the clone at the same time.
class HubClone {
 public:
  // Throws Error for what is no address.
  HubClone(const fs::path& cache, const std::string& address, Clock& clock);

  const fs::path& folder() const { return folder_; }
  const std::string& shown() const { return shown_; }  // the address as messages have it
  Git git() const { return Git(folder_); }             // in the clone
  Clock& clock() const { return clock_; }
  Create place(const std::string& run, const std::string& base = {}) const;

  // As Hub::bring_up.
  void bring_up();
  // Fetches what the hub has of these runs and of their forks, for `seen`.
  void look_at(const std::vector<std::string>& runs);
  // The name of the hub's default branch. Throws Error where it has none.
  std::string default_branch() const;

  // The refs of a run and of its forks, by full names, and their objects: as the hub had them when
  // it was looked at last, and as they are here.
  RefObjects seen(const std::string& run) const;
  RefObjects here(const std::string& run) const;
  // What the hub has now under the name; empty: nothing. Nothing, and why, where it is not reached.
  std::optional<std::string> ask(const std::string& ref, std::string& why) const;

  // `git push` to the hub; what it prints is for programs.
  process::Captured push(const Arguments& arguments) const;

  // Calls `attempt` until it returns no reason, again and again with pauses for some 30 s. Throws
  // HubAway with the last reason.
  void patiently(const std::function<std::string()>& attempt) const;
  // What git said, on one line without passwords and escape sequences.
  std::string told(const process::Captured& result) const;

 private:
  process::Fd lock() const;
  void make();
  std::string fetch(const fs::path& folder, const Arguments& what) const;
  std::string fetch_branches(const fs::path& folder) const;
  process::Captured list(const std::string& ref) const;
  struct Default {
    std::string branch, commit;
  };
  Default ask_default() const;
  void check_out(const fs::path& folder) const;

  std::string address_, shown_;
  fs::path folder_, lock_;
  Clock& clock_;
};

}  // namespace agneto::workspace
