// What the engine and agneto-guard say to each other.
//
// The guard is started as `agneto-guard GRACE_MS FOLDER PROGRAM ARGUMENT…` in a session of its own,
// with the program's stdin, stdout and stderr as its own and two pipes beside them. The program is
// not started before the engine says so on the control pipe; when that pipe closes, because the
// engine wants the end or because it is dead, the guard ends the tree. It exits when nothing of the
// tree is left; the status pipe closes with it.
#pragma once

#include <cstdint>

namespace agneto::process::guard {

inline constexpr const char* name = "agneto-guard";  // as the kernel has it

inline constexpr int control_fd = 3;  // engine -> guard: one byte: start; closed: end the tree
inline constexpr int status_fd = 4;   // guard -> engine: Reports

struct Report {
  enum class What : std::int32_t {
    bad_folder,   // value: errno of entering the folder
    not_started,  // value: errno of fork or exec
    exited,       // value: the exit status
    signalled,    // value: the signal
  };
  What what = What::exited;
  std::int32_t value = 0;
};

// An environment variable that every process of a tree inherits: "PID.START_TIME" of its guard. By
// it a tree is found again even where its guard was killed and it left the guard's session.
inline constexpr const char* mark = "AGNETO_GUARD";

}  // namespace agneto::process::guard
