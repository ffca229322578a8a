// Time and identity, behind seams so that tests own both.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

#include "base/text.h"

namespace agneto {

// Wall time in milliseconds since 1970, UTC.
using Time = std::chrono::sys_time<Millis>;

// "2026-11-21T22:00:36.123Z"
std::string format_time(Time time);
// Of such a text; nothing where it is none.
std::optional<Time> parse_time(const std::string& text);

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() const = 0;
  // How long it is since some moment: it goes on evenly where somebody sets the clock.
  virtual Millis elapsed() const = 0;
  // Returns early, false, when stop is requested. Thread-safe.
  virtual bool sleep(Millis duration, std::stop_token stop) = 0;
};

class SystemClock : public Clock {
 public:
  Time now() const override;
  Millis elapsed() const override;
  bool sleep(Millis duration, std::stop_token stop) override;
};

}  // namespace agneto
