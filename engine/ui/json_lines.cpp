#include "ui/json_lines.h"

#include <fmt/core.h>

namespace agneto::ui {

void JsonLines::event(const run::RunEvent& event) {
  fmt::print(out_, "{}\n", to_text(run::to_json(event)));
  std::fflush(out_);
}

}  // namespace agneto::ui
