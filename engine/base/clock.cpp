#include "base/clock.h"

#include <fmt/format.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>

namespace agneto {

std::string format_time(Time time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss<Millis> clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<Time> parse_time(const std::string& text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, milli = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ", &year, &month, &day, &hour, &minute,
                  &second, &milli) != 7) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  const Time time = std::chrono::sys_days(date) + std::chrono::hours(hour) +
                    std::chrono::minutes(minute) + std::chrono::seconds(second) + Millis(milli);
  return date.ok() && format_time(time) == text ? std::optional(time) : std::nullopt;
}

Time SystemClock::now() const {
  return std::chrono::floor<Millis>(std::chrono::system_clock::now());
}

Millis SystemClock::elapsed() const {
  return std::chrono::floor<Millis>(std::chrono::steady_clock::now().time_since_epoch());
}

bool SystemClock::sleep(Millis duration, std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any waiting;
  std::unique_lock lock(mutex);
  waiting.wait_for(lock, stop, duration, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace agneto
