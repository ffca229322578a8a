// Paths of effects as names: "SUB#1/A#2".
#pragma once

#include <string>

namespace agneto::run {

// The state's own name, of a timer's path the state's that it belongs to: "A".
std::string last_name(const std::string& path);

// Which items it is inside of: "PANEL#1[2]/SUB#1/INNER#1[3]/A#1" -> "[2][3]"
std::string items_of(const std::string& path);

// Of a timer or a delayed send; no state's name has a colon.
inline bool is_timer(const std::string& path) {
  return path.find(':') != std::string::npos;
}

}  // namespace agneto::run
