// A picture as an image, by Graphviz: a program of its own.
#pragma once

#include <filesystem>
#include <string>

#include "base/clock.h"

namespace agneto::graph {

// What `dot` makes of a text of `to_dot`, as "svg" or "png". `guard`: the agneto-guard program,
// which ends it after `patience`. Throws Error where there is no `dot`, or it cannot draw that.
std::string draw_with_graphviz(const std::string& dot, const std::string& format,
                               const std::filesystem::path& guard,
                               Millis patience = std::chrono::minutes(5));

}  // namespace agneto::graph
