// What can be wrong in the Lua of a machine, and with the drivers that a configuration names.
// lint/catalogue.h lists the rules of all folders.
#pragma once

#include "base/rule.h"

namespace agneto::rules {

inline constexpr Rule lua_syntax = {
    "E501", "lua-syntax", "Lua that does not compile",
    R"(The place is the line of the YAML file. A guard is one expression, and compares with `==` and `~=`;
`do`, `entry` and `exit` are statements. What came from other languages is translated in the help:
`!=`, `&&`, `||`, `!` and `+=`.)"};
inline constexpr Rule function = {
    "E503", "function", "a function of the file that is none, or sees more than it is given",
    R"(`functions` are Lua functions that guards, actions and all other Lua of the file call by their names.
They see what they are given and one another, and no `ctx`, `inputs`, `event` or `run`; they raise and send
nothing. So the same arguments give the same result, and lint can look into them.)"};
inline constexpr Rule unknown_provider = {
    "E133", "unknown-provider", "a provider in the configuration for which there is no driver",
    R"(In `.agneto/config.yaml` a provider is named by the file of its driver without `.lua`: one of those
that come with Agneto, one of your own, or one of the team's in `.agneto/scripts/providers`. An agent
may also have `auto`. What a wrong name was to set would go to another model, at another price, so
that no run begins with one.)",
    true};

}  // namespace agneto::rules
