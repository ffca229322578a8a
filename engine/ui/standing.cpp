#include "ui/standing.h"

#include "ui/readable.h"

namespace agneto::ui {

namespace {

constexpr std::size_t of_day = 10;  // of "2026-11-21 21:02:36"

// Without the day, where it is today.
std::string short_time(Time time, Time now) {
  const std::string text = local_time(time);
  const bool today = text.compare(0, of_day, local_time(now), 0, of_day) == 0;
  return today ? text.substr(of_day + 1) : text;
}

}  // namespace

std::string standing(const journal::RunRecord& run, const run::Waiting& waiting, Time now) {
  const std::string for_you = "waiting for you";
  if (run.status == "parked") {
    if (waiting.for_person) return for_you;
    return run.wake ? "parked until " + short_time(*run.wake, now) : run.status;
  }
  if (run.status == "interrupted" || run.status == "queued") return run.status;
  const bool is_running = run.status == "running";
  const std::string away = waiting.away.empty() ? "" : ", waiting for a provider";
  if (!waiting.for_person) return run.status + away;
  if (is_running && waiting.at_work) return run.status + away + ", " + for_you;
  return is_running ? for_you : run.status + ": " + for_you;
}

}  // namespace agneto::ui
