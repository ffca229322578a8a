// How often somebody may do something: so often at once, and then so often a second.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"

namespace agneto::serve {

// Thread-safe.
class Rates {
 public:
  struct Rate {
    double at_once = 1;
    double per_second = 1;
  };
  // The clock outlives it.
  Rates(Rate rate, Clock& clock) : rate_(rate), clock_(clock) {}

  // Nothing: they may, and it counts; else the time after which they may again.
  std::optional<Millis> take(const std::string& who);

 private:
  struct Left {
    double times = 0;
    Millis at{0};  // by `elapsed`
  };
  void forget(Millis now);
  double left(const Left& left, Millis now) const;

  const Rate rate_;
  Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Left> left_;  // of those who have not all of it
};

}  // namespace agneto::serve
