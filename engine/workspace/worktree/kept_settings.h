// Git's settings as they were before others began to work in a worktree, in a file beside it: an
// engine that is killed meanwhile cannot put them back, so who comes next does, before it has git
// look at any file. Until then a program that an agent named in the configuration would be started
// outside of the agent's sandbox.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "workspace/worktree/settings_watch.h"

namespace agneto::workspace {

// The file of one worktree, while it is lent. Not thread-safe.
class KeptSettings {
 public:
  explicit KeptSettings(const fs::path& worktree);
  // Writes what each of them is to be, where that is not in the file yet. Throws Error.
  void keep(const std::vector<SettingsWatch::Memory>& settings);
  // They are as they are to be.
  void forget();

 private:
  fs::path file_;
  std::string text_;
};

// Puts back what is in the files of those runs' worktrees in a folder that are not at work, and
// says each change as SettingsWatch does: "who worked for run R when it was killed changed …".
// Throws Error.
std::vector<std::string> put_kept_settings_back(
    const fs::path& worktrees, const std::function<bool(const std::string& run)>& is_at_work);

// Throws Error where git may start what somebody has named in the configuration while they worked
// in one of the worktrees in a folder.
void require_kept_settings(const fs::path& worktrees);

}  // namespace agneto::workspace
