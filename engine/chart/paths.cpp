#include "chart/paths.h"

#include <algorithm>

namespace agneto::chart {

std::string without_entries(std::string_view path) {
  std::string names;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '#') {
      i = std::min(path.find_first_not_of("0123456789", i + 1), path.size());
      if (i == path.size()) break;
    }
    names += path[i];
  }
  return names;
}

}  // namespace agneto::chart
