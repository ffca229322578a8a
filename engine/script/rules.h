// What can be wrong in the Lua of a machine.
// lint/catalogue.h lists the rules of all folders.
#pragma once

#include "base/rule.h"

namespace agneto::rules {

inline constexpr Rule lua_syntax = {
    "E501", "lua-syntax", "Lua that does not compile",
    R"(The place is the line of the YAML file. A guard is one expression, and compares with `==` and `~=`;
`do`, `entry` and `exit` are statements. What came from other languages is translated in the help:
`!=`, `&&`, `||`, `!` and `+=`.)"};

}  // namespace agneto::rules
