// Paths of instances, states and effects as people read them.
#pragma once

#include <string>
#include <string_view>

namespace agneto::chart {

// "SUB#1/PANEL#2[1]/A#3" -> "SUB/PANEL[1]/A"; "A#2/after:1" -> "A/after:1"
std::string without_entries(std::string_view path);

}  // namespace agneto::chart
