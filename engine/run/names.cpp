#include "run/names.h"

#include <cctype>

namespace agneto::run {

std::string without_entries(const std::string& path) {
  std::string names;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '#') {
      while (i + 1 < path.size() && std::isdigit(static_cast<unsigned char>(path[i + 1]))) ++i;
    } else {
      names += path[i];
    }
  }
  return names;
}

std::string last_name(const std::string& path) {
  std::string names = without_entries(path);
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
