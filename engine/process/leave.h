// For how long a guard may let its program run, where that is for a while only: it is told, and
// told again when there is more time. See GuardedRunner.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "process/guard_protocol.h"
#include "process/process.h"

namespace agneto::process {

// Says it on the guard's control pipe. Fails only where the guard is dead or hears nothing, which
// shows elsewhere.
void write_order(int control, guard::Order order);

// Has a thread of its own: who hears what a program says may wait for a disk or for a person's
// terminal meanwhile, and that is no reason to end the program. The thread wakes up when half of
// the time until TERM has passed.
class Leave {
 public:
  // Starts the guard's program. `guard` is not waited for while this has not ended, and `control`
  // stays open; `lasts`, which outlives this, has just said `first`.
  Leave(int control, pid_t guard, Millis grace, const Lasts& lasts, Millis first);
  // Tells nothing more. Returns when the guard must have ended.
  std::chrono::steady_clock::time_point end();

 private:
  void tell(Millis lasts);
  void go_on(const std::stop_token& stop);
  std::int64_t left() const { return until_ - guard::now(); }

  const int control_;
  const pid_t guard_;
  const Millis grace_;
  const Lasts& lasts_;
  std::int64_t until_ = 0;  // what the guard was told last
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread telling_;
};

}  // namespace agneto::process
