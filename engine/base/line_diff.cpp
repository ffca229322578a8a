#include "base/line_diff.h"

#include <algorithm>

#include "base/text.h"

namespace agneto {

namespace {

constexpr std::size_t most_compared = 4'000'000;

using Lines = std::vector<std::string_view>;

struct Line {
  char mark;
  std::string_view text;
};

// The lines of both in the order of a longest common subsequence.
std::vector<Line> aligned(const Lines& before, const Lines& after) {
  const std::size_t rows = before.size(), columns = after.size();
  std::vector<Line> lines;
  if (rows * columns > most_compared) {
    for (const auto line : before) lines.push_back({'-', line});
    for (const auto line : after) lines.push_back({'+', line});
    return lines;
  }
  // length[i][j] is the length of the longest common subsequence of before[i…] and after[j…].
  std::vector<std::vector<std::uint32_t>> length(rows + 1, std::vector<std::uint32_t>(columns + 1));
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      length[i][j] = before[i] == after[j] ? length[i + 1][j + 1] + 1
                                           : std::max(length[i + 1][j], length[i][j + 1]);
    }
  }
  std::size_t i = 0, j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && before[i] == after[j]) {
      lines.push_back({' ', before[i++]});
      ++j;
    } else if (j == columns || (i < rows && length[i + 1][j] >= length[i][j + 1])) {
      lines.push_back({'-', before[i++]});
    } else {
      lines.push_back({'+', after[j++]});
    }
  }
  return lines;
}

// The lines of both in order. Equal lines at the beginning and at the end need no comparison.
std::vector<Line> compared(const Lines& left, const Lines& right) {
  std::size_t first = 0, last = 0;  // equal lines at the beginning and at the end
  const std::size_t shorter = std::min(left.size(), right.size());
  while (first < shorter && left[first] == right[first]) ++first;
  while (last < shorter - first && left[left.size() - 1 - last] == right[right.size() - 1 - last]) {
    ++last;
  }
  std::vector<Line> lines;
  for (std::size_t i = 0; i < first; ++i) lines.push_back({' ', left[i]});
  const auto middle = [&](const Lines& all) {
    return Lines(all.begin() + static_cast<std::ptrdiff_t>(first),
                 all.end() - static_cast<std::ptrdiff_t>(last));
  };
  for (const Line& line : aligned(middle(left), middle(right))) lines.push_back(line);
  for (std::size_t i = left.size() - last; i < left.size(); ++i) lines.push_back({' ', left[i]});
  return lines;
}

// Which lines are shown: those that changed, and `context` lines around each.
std::vector<bool> near_changes(const std::vector<Line>& lines, std::size_t context) {
  std::vector<bool> shown(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].mark == ' ') continue;
    const std::size_t end = std::min(lines.size(), i + context + 1);
    for (std::size_t near = i - std::min(i, context); near < end; ++near) shown[near] = true;
  }
  return shown;
}

// The lines of a text, with their line ends.
Lines whole_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// "12,7"; "12" for one line. A range of no lines names the line before it.
std::string range(std::size_t first, std::size_t count) {
  if (count == 1) return std::to_string(first + 1);
  return std::to_string(count == 0 ? first : first + 1) + "," + std::to_string(count);
}

}  // namespace

std::vector<std::string> line_diff(std::string_view before, std::string_view after,
                                   std::size_t context) {
  if (before == after) return {};
  const std::vector<Line> lines = compared(split_lines(before), split_lines(after));
  const std::vector<bool> shown = near_changes(lines, context);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (shown[i]) {
      result.push_back(std::string(1, lines[i].mark) + " " + std::string(lines[i].text));
    } else if (i == 0 || shown[i - 1]) {
      result.emplace_back("  …");
    }
  }
  if (std::ranges::find(shown, true) == shown.end()) {
    return {"  (only ends of lines differ)"};
  }
  return result;
}

std::string unified_diff(const std::string& path, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const std::vector<Line> lines = compared(whole_lines(before), whole_lines(after));
  const std::vector<bool> shown = near_changes(lines, 3);
  std::string text = "--- " + path + "\n+++ " + path + "\n";
  std::size_t left = 0, right = 0;
  for (std::size_t i = 0; i < lines.size();) {
    if (!shown[i]) {
      ++left, ++right, ++i;
      continue;
    }
    const std::size_t left_first = left, right_first = right;
    std::string hunk;
    for (; i < lines.size() && shown[i]; ++i) {
      left += lines[i].mark != '+';
      right += lines[i].mark != '-';
      hunk += lines[i].mark + std::string(lines[i].text);
      if (!lines[i].text.ends_with('\n')) hunk += "\n\\ No newline at end of file\n";
    }
    text += "@@ -" + range(left_first, left - left_first) + " +" +
            range(right_first, right - right_first) + " @@\n" + hunk;
  }
  return text;
}

}  // namespace agneto
