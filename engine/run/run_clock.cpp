#include "run/run_clock.h"

#include <algorithm>

namespace agneto::run {

// The clock is read first: if time passes in between, the origin is taken to be too early, which
// the next look mends.
Time RunClock::now() {
  const Time set = clock_.now();
  const Millis elapsed = clock_.elapsed();
  const std::lock_guard lock(mutex_);
  origin_ = std::max(origin_, set - elapsed);
  return origin_ + elapsed;
}

}  // namespace agneto::run
