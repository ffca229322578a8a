// Starting a child process from a program with many threads.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "process/process.h"

namespace agneto::process {

struct Launch {
  std::vector<std::string> argv;  // argv[0] is looked up on PATH
  std::filesystem::path cwd;      // empty: ours
  Environment env;                // on top of ours
  std::vector<int> fds;           // what the child has as 0, 1, 2, …; nothing else is open there
  bool inherits = true;           // false: of our environment it has nothing
};

// The child has a session of its own (a terminal's Ctrl+C does not reach it, and it cannot ask
// there), no signal blocked and none ignored. Returns its pid, for the caller to wait for; throws
// std::system_error where it cannot be started.
pid_t spawn(const Launch& launch);

// Waits for a child's end; the status as `waitpid` gives it.
int wait_for(pid_t pid);

// "'x' does not exist", "'x' is not executable; …": why a program did not start in `cwd`.
std::string start_failure(const std::string& program, const std::filesystem::path& cwd, int error);
// Why a folder cannot be entered.
std::string folder_failure(const std::filesystem::path& folder, int error);

}  // namespace agneto::process
