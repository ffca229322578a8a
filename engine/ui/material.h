// What a person is to judge, made readable: a plan with its headings, a diff as a summary.
#pragma once

#include <string>
#include <string_view>

#include "ui/screen.h"

namespace agneto::ui {

// At most `limit` lines for the screen; `cut` says whether there is more. A unified diff is shown
// as one line per file with what was added and removed. Control characters are dropped.
struct Material {
  std::string text;
  bool cut = false;
};
Material summarise(std::string_view material, const Screen& screen, int limit);

}  // namespace agneto::ui
