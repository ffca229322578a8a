#include "ui/gate.h"

#include <fmt/format.h>

#include "base/text.h"
#include "ui/readable.h"

namespace agneto::ui {
namespace {

constexpr std::size_t date_columns = 11;  // of "2026-11-21 21:02:36"

// In whole seconds, and never none where some time is left.
std::string readable_left(Millis left) {
  return format_duration(std::chrono::ceil<std::chrono::seconds>(left));
}

std::string time_of_day(Time time, Time now) {
  const std::string text = local_time(time);
  const bool today = text.substr(0, date_columns) == local_time(now).substr(0, date_columns);
  return today ? text.substr(date_columns) : text;
}

}  // namespace

std::string readable_deadline(const record::Deadline& deadline, Time now) {
  const std::string what =
      (deadline.guarded ? "it may be taken away: → " : "it is taken away: → ") +
      join(deadline.to, " or ");
  if (!deadline.due) {
    return fmt::format("{} after the run goes on {}", readable_left(deadline.left), what);
  }
  const std::string when = time_of_day(*deadline.due, now);
  if (*deadline.due <= now) return fmt::format("its time was up at {}, so {}", when, what);
  return fmt::format("in {} ({}) {}", readable_left(*deadline.due - now), when, what);
}

std::string readable_until(const record::Deadline& deadline, Time now) {
  const std::string until = deadline.due ? "until " + time_of_day(*deadline.due, now)
                                         : "for " + readable_left(deadline.left);
  return (deadline.guarded ? "perhaps " : "") + until + ", then → " + join(deadline.to, " or ");
}

std::string readable_events(const std::vector<std::string>& events, const std::string& run) {
  return fmt::format("{} (agneto send {} EVENT)", join(events, ", "), run);
}

std::vector<Styled> gate_lines(const record::Surroundings& around, const record::Spent& spent,
                               const std::string& run, Time now) {
  std::vector<Styled> lines;
  for (const auto& deadline : around.deadlines) {
    lines.emplace_back(Color::yellow, readable_deadline(deadline, now));
  }
  if (!around.events.empty()) {
    lines.emplace_back(Color::dim,
                       "events that are taken here: " + readable_events(around.events, run));
  }
  if (spent.calls > 0) lines.emplace_back(Color::dim, "so far: " + readable_effort(spent));
  return lines;
}

}  // namespace agneto::ui
