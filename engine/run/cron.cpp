#include "run/cron.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace agneto::run {

namespace {

constexpr int years = 10;

// One of the five.
struct Field {
  std::string_view name;
  int least;
  int most;
  std::vector<std::string> words;  // the first means `least`
};

const std::array<Field, 5>& fields() {
  static const std::array<Field, 5> all = {
      {{"minute", 0, 59, {}},
       {"hour", 0, 23, {}},
       {"day of the month", 1, 31, {}},
       {"month",
        1,
        12,
        {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}},
       {"weekday", 0, 7, {"sun", "mon", "tue", "wed", "thu", "fri", "sat"}}}};
  return all;
}

struct Short {
  std::string name;
  std::string_view means;
};

const std::vector<Short>& shorts() {
  static const std::vector<Short> all = {
      {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"},
      {"@weekly", "0 0 * * 0"}, {"@daily", "0 0 * * *"},    {"@midnight", "0 0 * * *"},
      {"@hourly", "0 * * * *"},
  };
  return all;
}

// An empty part counts, also the last one: it is a mistake.
std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts(1);
  for (const char each : text) {
    if (each == at) {
      parts.emplace_back();
    } else {
      parts.back() += each;
    }
  }
  return parts;
}

std::vector<std::string> words_of(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '\t', ' ');
  std::vector<std::string> words = split(spaced, ' ');
  std::erase(words, "");
  return words;
}

int value_of(const Field& field, const std::string& text) {
  const auto word = std::ranges::find(field.words, lower(text));
  if (word != field.words.end()) {
    return field.least + static_cast<int>(word - field.words.begin());
  }
  const auto number = parse_number<int>(text);
  if (number && *number >= field.least && *number <= field.most) return *number;
  const std::string near = number ? "" : closest(lower(text), field.words);
  const std::string words =
      field.words.empty() ? ""
                          : fmt::format(", or {} to {}", field.words.front(), field.words.back());
  throw Error(fmt::format("'{}' is no {}", printable(text), field.name),
              near.empty() ? fmt::format("write {} to {}{}", field.least, field.most, words)
                           : fmt::format("did you mean '{}'?", near));
}

int step_of(const Field& field, const std::string& text) {
  const auto number = parse_number<int>(text);
  if (number && *number > 0 && *number <= field.most) return *number;
  throw Error(fmt::format("'/{}' is no step of a {}", printable(text), field.name),
              "write such as */5: every fifth one");
}

// Calls `mark` with each number of such as "1-5/2".
template <typename Mark>
void read_part(const Field& field, const std::string& part, Mark mark) {
  const auto halves = split(part, '/');
  const std::string& range = halves.front();
  const bool has_step = halves.size() == 2;
  const auto ends = split(range, '-');
  if (halves.size() > 2 || ends.size() > 2) {
    throw Error(fmt::format("'{}' is no {}", printable(part), field.name),
                "write such as 5, 1-5, */10 or 1-30/2, with commas between several");
  }
  int from = field.least;
  int to = field.name == "weekday" ? 6 : field.most;
  if (range != "*") {
    from = to = value_of(field, ends.front());
    if (ends.size() == 2) to = value_of(field, ends.back());
    if (ends.size() == 2 && to == 0 && field.name == "weekday") to = 7;
    if (to < from) {
      throw Error(fmt::format("'{}' ends before it begins", printable(range)),
                  fmt::format("write the {} that comes first before the -", field.name));
    }
    if (has_step && ends.size() == 1) {
      throw Error(fmt::format("'{}' is a step of nothing", printable(part)),
                  fmt::format("write the range that it steps through: {}-{}/{}", printable(range),
                              field.most, printable(halves.back())));
    }
  }
  const int step = has_step ? step_of(field, halves.back()) : 1;
  for (int number = from; number <= to; number += step) mark(number);
}

template <std::size_t size>
void read_field(const Field& field, const std::string& text, std::bitset<size>& bits) {
  for (const std::string& part : split(text, ',')) {
    read_part(field, part, [&](int number) { bits.set(static_cast<std::size_t>(number) % size); });
  }
}

// When the clocks there show that, or have skipped it.
Time time_of(const cctz::civil_second& shown, const cctz::time_zone& zone) {
  const auto found = zone.lookup(shown);
  return found.kind == cctz::time_zone::civil_lookup::SKIPPED ? found.trans : found.pre;
}

cctz::civil_second shown_at(Time time, const cctz::time_zone& zone) {
  return cctz::convert(std::chrono::floor<std::chrono::seconds>(time), zone);
}

}  // namespace

Cron::Cron(std::string_view text) {
  const std::string trimmed(trim(text));
  if (trimmed.starts_with('@')) {
    const auto known = std::ranges::find(shorts(), lower(trimmed), &Short::name);
    if (known == shorts().end()) {
      std::vector<std::string> names;
      for (const Short& each : shorts()) names.push_back(each.name);
      throw Error(fmt::format("'{}' is no schedule", printable(trimmed)),
                  suggestion(trimmed, names, "ones"));
    }
    *this = Cron(known->means);
    return;
  }
  const auto words = words_of(trimmed);
  if (words.size() != fields().size()) {
    throw Error(fmt::format("'{}' has {} fields", printable(trimmed), words.size()),
                "write five: minute, hour, day of the month, month, weekday; such as '30 7 * * "
                "mon-fri'");
  }
  read_field(fields()[0], words[0], minutes_);
  read_field(fields()[1], words[1], hours_);
  read_field(fields()[2], words[2], days_);
  read_field(fields()[3], words[3], months_);
  read_field(fields()[4], words[4], weekdays_);
  any_day_ = words[2].starts_with('*');
  any_weekday_ = words[4].starts_with('*');
  if (!next(Time(), cctz::utc_time_zone())) {
    throw Error(fmt::format("'{}' never comes", printable(trimmed)),
                "no month that it names has such a day");
  }
}

// As cron does it: where both are said, either is enough.
bool Cron::falls_on(const cctz::civil_day& day) const {
  if (!months_[static_cast<std::size_t>(day.month())]) return false;
  const bool of_month = days_[static_cast<std::size_t>(day.day())];
  const auto from_monday = static_cast<std::size_t>(cctz::get_weekday(day));
  const bool of_week = weekdays_[(from_monday + 1) % weekdays_.size()];
  return any_day_ || any_weekday_ ? of_month && of_week : of_month || of_week;
}

std::optional<Time> Cron::next(Time after, const cctz::time_zone& zone) const {
  const cctz::civil_minute shown(shown_at(after, zone));
  cctz::civil_day day(shown);
  const cctz::civil_year end(cctz::civil_year(day) + years);
  for (; day < cctz::civil_day(end); ++day) {
    if (!falls_on(day)) continue;
    for (cctz::civil_minute at(day); at < cctz::civil_minute(day + 1); ++at) {
      const auto hour = static_cast<std::size_t>(at.hour());
      if (at < shown || !hours_[hour] || !minutes_[static_cast<std::size_t>(at.minute())]) continue;
      const Time time = time_of(cctz::civil_second(at), zone);
      if (time > after) return time;
    }
  }
  return std::nullopt;
}

std::optional<Time> Cron::last(Time until, const cctz::time_zone& zone) const {
  // In the hour that is shown twice, and behind one that was skipped, a later time on the clocks
  // can be the same or an earlier moment.
  constexpr int most_changed = 24 * 60;
  const cctz::civil_minute shown = cctz::civil_minute(shown_at(until, zone)) + most_changed;
  cctz::civil_day day(shown);
  const cctz::civil_year end(cctz::civil_year(day) - years);
  for (; day > cctz::civil_day(end); --day) {
    if (!falls_on(day)) continue;
    for (cctz::civil_minute at = cctz::civil_minute(day + 1) - 1; at >= cctz::civil_minute(day);
         --at) {
      const auto hour = static_cast<std::size_t>(at.hour());
      if (!hours_[hour] || !minutes_[static_cast<std::size_t>(at.minute())]) continue;
      const Time time = time_of(cctz::civil_second(at), zone);
      if (time <= until) return time;
    }
  }
  return std::nullopt;
}

std::optional<cctz::time_zone> zone_of(const std::string& name) {
  if (name.empty()) return cctz::local_time_zone();
  // The library would read any file, too.
  const auto may_stand = [](char each) {
    return std::isalnum(static_cast<unsigned char>(each)) != 0 ||
           std::string_view("+-_/").find(each) != std::string_view::npos;
  };
  cctz::time_zone zone;
  if (name.front() == '/' || !std::ranges::all_of(name, may_stand) ||
      !cctz::load_time_zone(name, &zone)) {
    return std::nullopt;
  }
  return zone;
}

std::vector<std::string> zone_names() {
  std::vector<std::string> names = {"UTC"};
  const std::string table = Disk().read("/usr/share/zoneinfo/tzdata.zi").value_or("");
  for (const std::string_view line : split_lines(table)) {
    const auto words = words_of(line);  // "Z NAME …" and "L TARGET NAME"
    if (words.size() > 1 && words[0] == "Z") names.push_back(words[1]);
    if (words.size() > 2 && words[0] == "L") names.push_back(words[2]);
  }
  return names;
}

}  // namespace agneto::run
