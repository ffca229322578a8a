// A YAML text that has nothing wrong, read several times as fast as yaml-cpp does.
#pragma once

#include <yaml-cpp/eventhandler.h>

#include <string_view>

namespace agneto::yaml {

// Reads it with libyaml and gives the handler what yaml-cpp would. False where libyaml finds fault
// with it or the two do not agree (aliases, directives, Unicode's own line ends, a question mark in
// brackets): then what was handled counts for nothing, and yaml-cpp says what is there. Passes on
// what the handler throws.
bool quick_parse(std::string_view text, YAML::EventHandler& handler);

}  // namespace agneto::yaml
