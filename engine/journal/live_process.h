// Whether a process is still there, where that can be seen from here.
#pragma once

#include <sys/types.h>

#include <string>

namespace agneto::journal {

// Is the process dead, or about to be: has it been sent a SIGKILL? Its files are closed a moment
// later. False where it cannot be seen (0).
bool is_dying(pid_t process);

// A name of this process that no other one has, on this machine or another.
std::string this_process();
// Is that one of this machine, and dead or about to be? False where it cannot be seen from here.
bool has_died(const std::string& process);

}  // namespace agneto::journal
