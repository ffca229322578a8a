// What code in a sandbox may call: Lua's own library without whatever reaches outside, depends on
// chance or addresses, or can be made to run for ever. Order is defined everywhere: `pairs` and
// `next` go by key (false, true, numbers, text).
#pragma once

#include <cstddef>
#include <initializer_list>
#include <lua.hpp>
#include <string>
#include <vector>

namespace agneto::script {

enum class Library {
  expressions,  // base functions, string, table, math, utf8, null
  modules,      // and metatables, coroutines: what a program of several functions wants
};

// Leaves on the stack a table of globals; further ones may be added before `make_environment`.
// May raise: call it within Sandbox::protect.
void push_library(lua_State* lua, Library which);

// The names of the globals, and of what is in their tables: "string", "string.format". Sorted.
std::vector<std::string> library_names(Library which);

// Replaces the table of globals on top of the stack by the `_ENV` of loaded chunks: reads what is
// there, raises on unknown names (naming the nearest) and on every assignment.
void make_environment(lua_State* lua);

// Bytes of a text that is read, for one unit of work.
inline constexpr std::uint64_t bytes_a_unit = 16;

// Calls one of Lua's own functions (upvalue 1), charged by the length of the texts it is given.
int call_charged(lua_State* lua);

// Copies the named members of one of Lua's own libraries into the table on top of the stack. In the
// place of a function stands the wrapper, which has it as upvalue 1.
void keep(lua_State* lua, const char* library, lua_CFunction open,
          std::initializer_list<const char*> names, lua_CFunction wrapper = call_charged);

// Parts of it, each leaving one table of functions on the stack.
void push_string_library(lua_State* lua);
void push_table_library(lua_State* lua);

// Library functions made elsewhere: they go by order of keys and see through read-only views.
int sorted_pairs(lua_State* lua);
int sorted_next(lua_State* lua);

// tostring without addresses; raises what __tostring raises. Pushes the text.
const char* push_text(lua_State* lua, int index, std::size_t* size);

// `local json = require "json"`: json.encode(value) -> text, json.decode(text) -> value, or nil and
// what is wrong. JSON null is `null`. Leaves the table of functions on the stack. May raise a Lua
// error.
void push_json_library(lua_State* lua);

}  // namespace agneto::script
