// Pictures by Graphviz, a program of its own.
#pragma once

#include <string>

#include "base/files.h"

namespace agneto::cli {

// What it makes of the text: an SVG or PNG. Throws Error where it is not installed, fails, or takes
// too long. `guard`: the agneto-guard program.
std::string draw_with_graphviz(const std::string& dot, const std::string& format,
                               const fs::path& guard);

}  // namespace agneto::cli
