#include "play/naming.h"

#include "base/text.h"
#include "chart/paths.h"

namespace agneto::play {

namespace {

std::string_view take_last_part(std::string_view& path) {
  const auto slash = path.rfind('/');
  const auto part = slash == path.npos ? path : path.substr(slash + 1);
  path = slash == path.npos ? std::string_view() : path.substr(0, slash);
  return part;
}

}  // namespace

Fit fit(std::string_view wanted, std::string_view path) {
  while (!wanted.empty()) {
    if (path.empty()) return Fit::none;
    const std::string_view want = take_last_part(wanted);
    const std::string_view part = take_last_part(path);
    if (want != part && want != chart::without_entries(part)) return Fit::none;
  }
  return path.empty() ? Fit::whole : Fit::inner;
}

std::string on_one_line(std::string_view text) {
  std::string result;
  for (const std::string_view line : split_lines(trim(text))) {
    if (!result.empty()) result += ' ';
    result += trim(line);
  }
  return result;
}

}  // namespace agneto::play
