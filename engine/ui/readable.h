// The engine's names in a form for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "record/event.h"

namespace agneto::ui {

// Which entry of a state it is, from the second on: "TASK_EXECUTING#1/CODE_REVIEW#3" ->
// "TASK_EXECUTING/CODE_REVIEW #3", "PANEL#4[1]/REVIEW#1" -> "PANEL#4[1]/REVIEW"
std::string readable_path(std::string_view path);
// The same in at most `columns`: the names of outer states are left out first ("…/CODE_REVIEW #3",
// "…#4[1]/REVIEW").
std::string readable_path(std::string_view path, std::size_t columns);
// Does a person who writes "CODE_REVIEW", "CODE_REVIEW#3", "TASK_EXECUTING#1/CODE_REVIEW#3" or what
// `readable_path` says mean this path?
bool means_path(std::string_view readable, std::string_view path);
// Orders paths with their numbers by value: item 2 of a for_each comes before item 10.
struct PathOrder {
  bool operator()(std::string_view one, std::string_view other) const;
};
// Each state once with how often it was entered in a row: "A → B ×2 → A".
std::string readable_journey(const std::vector<std::string>& states);
// "2026-11-21 21:02:36", by this machine's clock and time zone.
std::string local_time(Time time);
// "$1.50", or "at least $0.03 (14 attempts without a price)"; empty: nothing was spent.
std::string readable_cost(const agents::Usage& usage);
// "19 agent calls · $1.50 · 123k tokens".
std::string readable_effort(const record::Spent& spent);
// A branch as it is; a commit's full id as its first twelve digits.
std::string readable_base(const std::string& base);
// Where it is said what an agent may use, behind a tool that it was denied.
constexpr std::string_view tools_advice = "see 'tools' in .agneto/config.yaml";
constexpr std::size_t any_width = 1 << 30;
constexpr std::size_t one_line = 200;  // columns, of what is told in a line of its own
// The first line with words in it, at most `columns` wide, with "…" if there was more.
std::string first_line(std::string_view text, std::size_t columns);
// A verdict in words: its first text field, of those that are meant for people if there is one.
std::string gist(const Json& fields, std::size_t columns);

}  // namespace agneto::ui
