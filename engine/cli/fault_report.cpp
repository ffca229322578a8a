#include "cli/fault_report.h"

#include <algorithm>

namespace agneto::cli {

void FaultReport::event(const record::RunEvent& event) {
  if (const auto* note = event.get<record::Note>(); note && !note->fault.empty()) {
    const auto struck = std::find(left_.begin(), left_.end(), note->fault);
    if (struck != left_.end()) left_.erase(struck);
  }
  next_.event(event);
}

}  // namespace agneto::cli
