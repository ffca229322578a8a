// Can a run be started here, and by whom? Looks at the program, git, the repository, the agents'
// CLIs, the configuration and the journal; changes nothing and asks no model.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "process/process.h"
#include "run/assembly.h"
#include "run/examination.h"

namespace agneto::run {

// What a check-up is told of the world besides the files in the folder.
struct Surroundings {
  process::Runner& runner;  // starts "PROGRAM --version", and git
  std::function<std::optional<std::string>(const std::string&)> variable;  // of the environment
  fs::path home;                                                           // the user's
};

// Throws Error where git does not answer in that folder within ten seconds.
void require_git_answers(const fs::path& folder, process::Runner& runner);

// The version that a program says when it is called with --version; empty where it says none within
// ten seconds.
std::string version_of(const fs::path& program, const fs::path& folder, process::Runner& runner,
                       const std::stop_token& stop);

// Findings "about": "agneto", "git", "repository", the provider's name, "configuration", "sandbox",
// "packages" and "package NAME" (where there is a lock), "journal", "leftovers" and git's stale
// "locks" (where there are any), "disk".
std::vector<Finding> check_up(const fs::path& folder, const Resources& resources,
                              const Surroundings& surroundings);

}  // namespace agneto::run
