#include "lint/report/glob.h"

#include <fnmatch.h>

#include <string>
#include <utility>

namespace agneto::lint {

namespace {

// The first part of a path, and the rest.
std::pair<std::string, std::string_view> split(std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return {std::string(path), {}};
  return {std::string(path.substr(0, slash)), path.substr(slash + 1)};
}

}  // namespace

bool is_glob(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

bool glob_matches(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return path.empty();
  const auto [first, rest] = split(pattern);
  if (first == "**") {
    if (rest.empty() || glob_matches(rest, path)) return true;
    const std::size_t slash = path.find('/');
    return slash != std::string_view::npos && glob_matches(pattern, path.substr(slash + 1));
  }
  if (path.empty()) return false;
  const auto [name, more] = split(path);
  return fnmatch(first.c_str(), name.c_str(), 0) == 0 && glob_matches(rest, more);
}

}  // namespace agneto::lint
