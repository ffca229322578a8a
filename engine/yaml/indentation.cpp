#include "yaml/indentation.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace agneto::yaml {

bool is_blank_or_comment(std::string_view line) {
  const std::string_view text = trim(line);
  return text.empty() || text.starts_with('#');
}

std::optional<std::size_t> depth_behind_opening(const Source& source, int line) {
  while (--line > 0 && is_blank_or_comment(source.line(line))) {
  }
  const std::string_view before = source.line(line);
  const std::size_t depth = before.find_first_not_of(' ');
  if (line == 0 || before[depth] == '\t' || !trim(before).ends_with(':')) return std::nullopt;
  return depth + 2;
}

Edit indented_with_blanks(const Source& source, int line, std::size_t depth) {
  constexpr std::size_t step = 2;
  const auto words_of = [&](int number) {
    return source.line_start(number) +
           std::min(source.line(number).find_first_not_of(" \t"), source.line(number).size());
  };
  const auto depth_of = [&](int number) {
    const std::size_t start = source.line_start(number);
    const std::string_view blanks =
        std::string_view(source.text()).substr(start, words_of(number) - start);
    return step * static_cast<std::size_t>(std::ranges::count(blanks, '\t'));
  };
  const std::size_t first = depth_of(line);
  std::string text;
  int last = line;
  for (int number = line; number <= source.line_count() && depth_of(number) > 0; ++number) {
    if (number > line) {
      text += source.text().substr(words_of(last), source.line_start(number) - words_of(last));
    }
    text += std::string(std::max(depth + depth_of(number), first) - first, ' ');
    last = number;
  }
  return {source.span(source.line_start(line), words_of(last)), text};
}

std::optional<int> block_that_ended(const Source& source, int line) {
  const auto indent = [&](int number) { return source.line(number).find_first_not_of(' '); };
  const std::string_view words = trim(source.line(line));
  const bool is_key = words.ends_with(':') || words.find(": ") != std::string_view::npos;
  if (is_blank_or_comment(words) || is_key || words.starts_with("- ")) return std::nullopt;
  int above = line - 1;
  while (above > 0 && trim(source.line(above)).empty()) --above;
  const std::size_t inside = above > 0 ? indent(above) : 0;
  if (inside <= indent(line)) return std::nullopt;
  while (above > 0 && (trim(source.line(above)).empty() || indent(above) >= inside)) --above;
  if (above == 0) return std::nullopt;
  const std::string_view header = trim(source.line(above));
  const std::size_t sign = header.find_last_not_of("+-0123456789");
  const bool begins = sign != header.npos && (header[sign] == '|' || header[sign] == '>');
  return begins ? std::optional(above) : std::nullopt;
}

}  // namespace agneto::yaml
