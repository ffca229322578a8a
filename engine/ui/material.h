// What a person is to judge, made readable: a plan with its headings, a diff as a summary.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "ui/styled.h"

namespace agneto::ui {

inline constexpr std::size_t all_lines = std::numeric_limits<std::size_t>::max();

// Gives at most `height` lines of at most `width` columns, the last of which says how many are left
// out. Headings and code of Markdown look different; a unified diff is one line per file with what
// was added and removed.
std::vector<Styled> summarise(std::string_view material, std::size_t width, std::size_t height);

// A unified diff in colours, all of it.
Styled coloured_diff(std::string_view diff);

}  // namespace agneto::ui
