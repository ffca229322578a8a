#include "run/schedule.h"

#include <algorithm>

#include "base/text.h"
#include "run/assembly.h"

namespace agneto::run {

namespace {

// What is due longer ago was missed: nobody was there, or this machine slept.
constexpr Millis at_most_late{60'000};

std::string origins_of(const std::string& schedule) {
  return "schedule " + schedule + " ";
}

// When the run is made that is due then. Whoever asks is told the same, also after a restart.
Time comes(const Schedule& schedule, Time due, const std::string& folder) {
  if (schedule.jitter.count() == 0) return due;
  constexpr int digits = 15;  // of a number that is not negative
  constexpr int hexadecimal = 16;
  const std::string hash = sha256(folder + '\n' + origin_of(schedule.name, due)).substr(0, digits);
  const auto chance = parse_number<std::int64_t>(hash, hexadecimal).value_or(0);
  return due + Millis(chance % schedule.jitter.count());
}

// The last that is due, of those whose runs are to be made by then.
std::optional<Time> last_due(const Schedule& schedule, Time now, const std::string& folder) {
  auto due = schedule.times.last(now, schedule.zone);
  while (due && comes(schedule, *due, folder) > now) {
    due = schedule.times.last(*due - Millis(1), schedule.zone);
  }
  return due;
}

}  // namespace

std::string origin_of(const std::string& schedule, Time due) {
  return origins_of(schedule) + format_time(due);
}

std::optional<MadeLast> made_last(journal::Queue& journal, const std::string& schedule) {
  const std::string origins = origins_of(schedule);
  const auto run = journal.newest_of(origins);
  if (!run) return std::nullopt;
  const auto due = parse_time(run->origin.substr(origins.size()));
  if (!due) return std::nullopt;
  return MadeLast{*due, has_ended(*run) ? std::optional(run->updated) : std::nullopt, *run};
}

std::optional<Time> due_now(const Schedule& schedule, const std::optional<MadeLast>& last, Time now,
                            const std::string& folder) {
  const auto due = last_due(schedule, now, folder);
  if (!due || (last && *due <= last->due)) return std::nullopt;
  const Time wanted = comes(schedule, *due, folder);
  if (last) {
    if (!last->ended) return std::nullopt;
    if (wanted <= *last->ended) return schedule.queues ? due : std::nullopt;
  }
  if (now - wanted <= at_most_late) return due;
  return last && schedule.makes_up ? due : std::nullopt;
}

std::optional<Time> next_run(const Schedule& schedule, Time now, const std::string& folder) {
  std::optional<Time> next;
  auto due = schedule.times.next(now - schedule.jitter, schedule.zone);
  while (due && (!next || *due < *next)) {
    const Time wanted = comes(schedule, *due, folder);
    if (wanted > now) next = next ? std::min(*next, wanted) : wanted;
    due = schedule.times.next(*due, schedule.zone);
  }
  return next;
}

}  // namespace agneto::run
