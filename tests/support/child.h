// A piece of a test that runs in a process of its own.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <exception>

namespace agneto::testing {

// Forks; the child runs `action` and ends with 0, or with 1 where it throws, without the test
// framework's own clean-up. Returns the child's process id.
template <typename Action>
pid_t start_child(Action action) {
  const pid_t child = ::fork();
  if (child == 0) {
    int status = 0;
    try {
      action();
    } catch (const std::exception&) {
      status = 1;
    }
    ::_exit(status);
  }
  return child;
}

// The exit status, or -1 where a signal ended it.
inline int wait_for(pid_t child) {
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace agneto::testing
