// Times that come again and again, as cron has them: minute, hour, day of the month, month,
// weekday.
#pragma once

#include <cctz/time_zone.h>

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace agneto::run {

// A time that the clocks of a place skip (in spring) comes when they have skipped it, once for all
// that they skip; one that they show twice (in autumn) comes once, the first time.
class Cron {
 public:
  // It never comes.
  Cron() = default;
  // Five fields of numbers, names (jan, mon), lists, ranges and steps; or such as @daily. Throws
  // Error, which says what is wrong in it, and where it never comes.
  explicit Cron(std::string_view text);

  // The first time after that one; nothing: none in ten years.
  std::optional<Time> next(Time after, const cctz::time_zone& zone) const;
  // The last time that is not after that one; nothing: none in ten years.
  std::optional<Time> last(Time until, const cctz::time_zone& zone) const;

 private:
  bool falls_on(const cctz::civil_day& day) const;

  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<32> days_;     // of a month
  std::bitset<13> months_;   // 1 is January
  std::bitset<7> weekdays_;  // 0 is Sunday
  bool any_day_ = false;     // the field begins with *, and the other one decides
  bool any_weekday_ = false;
};

// The time zone of that name, such as Europe/London; empty: the system's. Nothing: there is none.
std::optional<cctz::time_zone> zone_of(const std::string& name);
// The names of those that people live in.
std::vector<std::string> zone_names();

}  // namespace agneto::run
