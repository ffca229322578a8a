#include "ui/open_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "ui/material.h"
#include "ui/readable.h"
#include "ui/screen.h"

namespace agneto::ui {
namespace {

constexpr std::size_t date_columns = 11;     // of "2026-11-21 21:02:36"
constexpr std::size_t material_height = 40;  // where a run stops: `agneto show` has all of it
// At a terminal: lines of the screen that a question needs besides its material.
constexpr std::size_t question_height = 14;
constexpr std::size_t least_preview = 10;

// In whole seconds, and never none where some time is left.
std::string readable_left(Millis left) {
  return format_duration(std::chrono::ceil<std::chrono::seconds>(left));
}

std::string time_of_day(Time time, Time now) {
  const std::string text = local_time(time);
  const bool today = text.substr(0, date_columns) == local_time(now).substr(0, date_columns);
  return today ? text.substr(date_columns) : text;
}

// "in 10m (21:12:36) it is taken away: → SUSPENDED"; of another day than `now` with its date.
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

// The same in a line of a log: "until 21:12:36, then → SUSPENDED".
std::string readable_until(const record::Deadline& deadline, Time now) {
  const std::string until = deadline.due ? "until " + time_of_day(*deadline.due, now)
                                         : "for " + readable_left(deadline.left);
  return (deadline.guarded ? "perhaps " : "") + until + ", then → " + join(deadline.to, " or ");
}

// "build.finished, cancel (agneto send RUN EVENT)"
std::string readable_events(const std::vector<std::string>& events, const std::string& run) {
  return fmt::format("{} (agneto send {} EVENT)", join(events, ", "), run);
}

const QuestionLine empty_line{{}, Screen::as_is};

void add_material(QuestionLines& lines, std::string_view material, std::size_t width,
                  std::size_t height) {
  std::vector<Styled> shown = summarise(material, width, height);
  for (auto& line : shown) lines.push_back({std::move(line), Screen::as_is});
  if (!shown.empty()) lines.push_back(empty_line);
}

// What may happen to it, and what the run has spent.
void add_surroundings(QuestionLines& lines, const record::Surroundings& around,
                      const record::Spent& spent, const std::string& run, Time now) {
  const auto add = [&lines](Color color, const std::string& text) {
    lines.push_back({Styled("  ") + Styled(color, text), 2});
  };
  for (const auto& deadline : around.deadlines) {
    add(Color::yellow, readable_deadline(deadline, now));
  }
  if (!around.events.empty()) {
    add(Color::dim, "events that are taken here: " + readable_events(around.events, run));
  }
  if (spent.calls > 0) add(Color::dim, "so far: " + readable_effort(spent));
}

}  // namespace

Styled question_in_log(const record::Question& question, Time now) {
  Styled text(Color::magenta, "❓ " + question.question);
  for (const auto& deadline : question.around.deadlines) {
    text.add(Color::dim, " · " + readable_until(deadline, now));
  }
  return text;
}

QuestionLines question_at_stop(const record::Question& question, const record::Spent& spent,
                               const Asking& asking, Time now, std::size_t width) {
  QuestionLines lines;
  add_material(lines, question.show, width, material_height);
  lines.push_back({"  " + question.question, 2});
  add_surroundings(lines, question.around, spent, asking.run, now);
  for (auto& line : answer_commands(asking, question, width)) {
    lines.push_back({std::move(line), Screen::as_is});
  }
  return lines;
}

QuestionLines question_at_terminal(const run::Question& question, Time now, std::size_t width,
                                   std::size_t height) {
  const std::size_t preview = std::max(height, question_height + least_preview) - question_height;
  QuestionLines lines;
  lines.push_back(empty_line);
  lines.push_back(
      {Styled{Color::dim, "── " + readable_path(question.ask.path) + " ──"}, Screen::as_is});
  add_material(lines, question.ask.show, width, preview);
  add_material(lines, question.diff, width, preview);
  lines.push_back({Styled{Color::magenta, "👤 " + question.ask.question}, 3});
  add_surroundings(lines, question.around, question.spent, "RUN", now);
  return lines;
}

QuestionLines options_at_terminal(const run::Question& question) {
  const chart::AskHuman& ask = question.ask;
  const auto keys = option_keys(ask);
  std::size_t column = 0;
  for (const auto& option : ask.options) column = std::max(column, Styled(option.label).width());
  QuestionLines lines;
  const auto add = [&](const std::string& key, const Styled& text) {
    Styled whole("  ");
    whole.add(Color::bold, "[" + key + "]").add(Color::none, "  ") += text;
    lines.push_back({std::move(whole), 7});
  };
  for (std::size_t i = 0; i < ask.options.size(); ++i) {
    const Styled label = Styled(ask.options[i].label).joined();
    const std::string gap(column + 2 - std::min(label.width(), column), ' ');
    add(keys[i], label + gap + Styled(Color::dim, ask.options[i].name));
  }
  if (!ask.show.empty()) add("v", "View all of it");
  if (!question.diff.empty()) add("d", "View the diff");
  return lines;
}

ShownQuestion question_in_show(const record::Question& question, const Asking& asking,
                               const std::optional<run::WaitingAnswer>& answer, Time now,
                               std::size_t width) {
  ShownQuestion shown;
  shown.facts = {{"question", question.question}, {"  id", question.path}};
  if (answer) {
    shown.facts.emplace_back(
        "  answer", fmt::format("{} by {} at {}", run::describe(answer->answer), answer->answer.by,
                                local_time(answer->posted)));
    shown.facts.emplace_back("  go on", "agneto resume " + asking.run);
    return shown;
  }
  for (const auto& deadline : question.around.deadlines) {
    shown.facts.emplace_back("  time", readable_deadline(deadline, now));
  }
  if (!question.around.events.empty()) {
    shown.facts.emplace_back("  events", readable_events(question.around.events, asking.run));
  }
  shown.lines = summarise(question.show, width, all_lines);
  if (!shown.lines.empty()) {
    shown.lines.insert(shown.lines.begin(), "");
    shown.lines.emplace_back("");
  }
  for (auto& line : answer_commands(asking, question, width)) {
    shown.lines.push_back(std::move(line));
  }
  return shown;
}

}  // namespace agneto::ui
