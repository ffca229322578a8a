// Names of the engine in a form for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agneto::ui {

// "TASK_EXECUTING#1/CODE_REVIEW#3" -> "TASK_EXECUTING/CODE_REVIEW #3"
std::string readable_path(std::string_view path);
// The same in at most `columns`: outer states are left out first ("…/CODE_REVIEW #3").
std::string readable_path(std::string_view path, std::size_t columns);
// Each state once with how often it was entered in a row: "A → B ×2 → A".
std::string readable_journey(const std::vector<std::string>& states);
// The first line of a text that says something, at most `columns` wide; "…" where there was more.
std::string first_line(std::string_view text, std::size_t columns);

}  // namespace agneto::ui
