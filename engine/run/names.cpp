#include "run/names.h"

#include <algorithm>

#include "chart/paths.h"

namespace agneto::run {

std::string last_name(const std::string& path) {
  std::string names = chart::without_entries(path);
  names.resize(std::min(names.size(), names.find("/after:")));
  return names.substr(names.rfind('/') + 1);  // none: npos + 1 is 0
}

std::string items_of(const std::string& path) {
  std::string items;
  bool inside = false;
  for (const char c : path) {
    inside = inside || c == '[';
    if (inside) items += c;
    inside = inside && c != ']';
  }
  return items;
}

}  // namespace agneto::run
