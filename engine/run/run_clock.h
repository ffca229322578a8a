// The time of a run: never earlier than what is recorded, and going on where somebody puts the
// machine's clock back.
#pragma once

#include <mutex>

#include "base/clock.h"

namespace agneto::run {

// Thread-safe. `clock` outlives it.
class RunClock {
 public:
  RunClock(const Clock& clock, Time not_before)
      : clock_(clock), origin_(not_before - clock.elapsed()) {}

  Time now();

 private:
  const Clock& clock_;
  std::mutex mutex_;
  Time origin_;  // when nothing had elapsed: later where the clock was put forward, never earlier
};

}  // namespace agneto::run
