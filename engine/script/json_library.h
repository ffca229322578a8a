// `local json = require "json"`: json.encode(value) -> text, json.decode(text) -> value, or nil and
// what is wrong. JSON null is `null`.
#pragma once

#include <lua.hpp>

namespace agneto::script {

// Leaves the table of functions on the stack. May raise a Lua error.
void push_json_library(lua_State* lua);

}  // namespace agneto::script
