#include "cli/struck.h"

#include <algorithm>

namespace agneto::cli {

void StruckFaults::event(const run::RunEvent& event) {
  if (event.kind == "note") {
    const auto struck = std::find_if(left_.begin(), left_.end(), [&](const std::string& fault) {
      return event.data.value("text", "") == "injected: " + fault;
    });
    if (struck != left_.end()) left_.erase(struck);
  }
  next_.event(event);
}

}  // namespace agneto::cli
