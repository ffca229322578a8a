// Values between JSON and Lua.
//
// JSON null is `null` in Lua: a light userdata, equal only to itself. Integers stay integers and
// floats floats. A Lua table is a list if its keys are 1..n and an object if they are all strings;
// anything else has no JSON. An empty table is taken for an empty list (unless it came from an
// empty object); `model::settle` makes it what its declared type says.
//
// A read-only value is deep: an empty table whose metatable has the contents. Library functions
// that read tables go through `push_contents`.
#pragma once

#include <lua.hpp>
#include <string>
#include <vector>

#include "base/json.h"

namespace agneto::script {

// Deepest nesting of a value on its way in or out.
inline constexpr int max_depth = 128;

inline void push_null(lua_State* lua) {
  lua_pushlightuserdata(lua, nullptr);
}
inline bool is_null(lua_State* lua, int index) {
  return lua_islightuserdata(lua, index) && lua_touserdata(lua, index) == nullptr;
}

// These may raise a Lua error: call them within Sandbox::protect or from a function of Lua's.
void push(lua_State* lua, const Json& value);
// `label` is what the message of a refused assignment calls it: "inputs".
void push_read_only(lua_State* lua, const Json& value, const char* label);
// Makes the table on top of the stack read-only (not what is in it), leaving the view in its place.
void make_read_only(lua_State* lua, const char* label);

// Pushes the table that holds what the table at `index` shows: its own or, for a read-only view,
// the one behind it. Raises nothing; needs two slots.
void push_contents(lua_State* lua, int index);
// Is it a view, or another table whose metatable code may not touch?
bool is_protected(lua_State* lua, int index);

// Raises no Lua error. False where the value has no JSON; `why` then says so, to be put behind the
// value's name: ".items[2].run is a function". nil is null.
bool to_json(lua_State* lua, int index, Json& out, std::string& why);

// The string at `index`. Raises nothing.
std::string text_at(lua_State* lua, int index);

// Pushes a field of the table on top of the stack, without metamethods. Returns its type.
int push_field(lua_State* lua, const char* name);
// The type of a field of that table. Leaves nothing on the stack.
int field_type(lua_State* lua, const char* name);

// The keys of the table at `index` that are text, sorted; without metamethods. Raises nothing.
std::vector<std::string> text_keys(lua_State* lua, int index);

// Is the value at `index`, not a table, exactly `value`? Raises nothing.
bool is_same_scalar(lua_State* lua, int index, const Json& value);

// "table", "null", "number": what a value is called where it cannot be shown whole. Raises nothing.
const char* type_name(lua_State* lua, int index);
// The text of an error value that is not a string.
void describe_error_value(lua_State* lua, int index, std::string& out);

}  // namespace agneto::script
