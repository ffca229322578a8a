// What the engine and agneto-guard say to each other.
//
// The guard is started as `agneto-guard GRACE_MS FOLDER PROGRAM ARGUMENT…` in a session of its own,
// with the program's stdin, stdout and stderr as its own and two pipes beside them. The program is
// not started before the engine says so on the control pipe; when that pipe closes, because the
// engine wants the end or because it is dead, the guard ends the tree. It exits when nothing of the
// tree is left; the status pipe closes with it.
//
// The engine may say until when the tree is to be gone, and say so again when that has changed.
// Nothing is left of it then, whatever the engine does: TERM comes GRACE_MS before.
#pragma once

#include <cstdint>
#include <ctime>

namespace agneto::process::guard {

inline constexpr const char* name = "agneto-guard";  // as the kernel has it

inline constexpr int control_fd = 3;  // engine -> guard: Orders; closed: end the tree
inline constexpr int status_fd = 4;   // guard -> engine: Reports

// The first one starts the program. Each is written by one call, so that it arrives as a whole.
struct Order {
  std::int64_t until = 0;  // as now() has it; 0: there is no such time
};

// Milliseconds of a clock that goes on while the machine sleeps, and that nobody can set.
inline std::int64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

struct Report {
  enum class What : std::int32_t {
    bad_folder,   // value: errno of entering the folder
    not_started,  // value: errno of fork or exec
    exited,       // value: the exit status
    signalled,    // value: the signal
    overdue,      // the time has come, and the guard ends the tree, or has started nothing
  };
  What what = What::exited;
  std::int32_t value = 0;
};

// An environment variable that every process of a tree inherits: "PID.START_TIME" of its guard. By
// it a tree is found again even where its guard was killed and it left the guard's session.
inline constexpr const char* mark = "AGNETO_GUARD";

}  // namespace agneto::process::guard
