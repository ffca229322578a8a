#include "model/written_lines.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace agneto::model {

std::vector<WrittenLine> written_lines(const yaml::Node& scalar) {
  const bool quoted =
      scalar.style == yaml::Style::single_quoted || scalar.style == yaml::Style::double_quoted;
  const std::string_view written = scalar.span.text();
  const std::string_view text = scalar.text;
  std::vector<WrittenLine> lines;
  std::size_t end = 0;  // of the words before
  for (std::string_view words :
       split_lines(quoted ? written.substr(1, written.size() - 2) : written)) {
    words = trim(words);
    const std::size_t begin = std::min(text.find_first_not_of(" \n", end), text.size());
    if (words.empty() || !text.substr(begin).starts_with(words)) continue;  // such as `>`
    const std::size_t whole = text.substr(0, begin).rfind('\n') + 1;
    lines.push_back({words, begin, whole, whole < end});
    end = begin + words.size();
  }
  return lines;
}

}  // namespace agneto::model
