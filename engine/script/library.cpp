#include "script/library.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "script/sandbox.h"
#include "script/values.h"

namespace agneto::script {

namespace {

constexpr std::uint64_t coroutine_cost = 1000;  // as many instructions as may pass unseen in one
// The table on top of the stack becomes field `name` of the one below, read-only.
void set_library(lua_State* lua, const char* name) {
  make_read_only(lua, name);
  lua_setfield(lua, -2, name);
}

int to_string(lua_State* lua) {
  luaL_checkany(lua, 1);
  push_text(lua, 1, nullptr);
  return 1;
}

// Does what Lua's own does, and puts the place before a message.
int assert_true(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (lua_toboolean(lua, 1)) return lua_gettop(lua);
  if (lua_gettop(lua) == 1) return luaL_error(lua, "assertion failed!");
  lua_settop(lua, 2);
  if (lua_type(lua, 2) == LUA_TSTRING) {
    luaL_where(lua, 1);
    lua_insert(lua, 2);
    lua_concat(lua, 2);
  }
  return lua_error(lua);
}

int type_of(lua_State* lua) {
  luaL_checkany(lua, 1);
  lua_pushstring(lua, type_name(lua, 1));
  return 1;
}

int finish_protected_call(lua_State* lua, int status, lua_KContext skipped) {
  if (Sandbox::of(lua).over(status)) return Sandbox::of(lua).raise_limit(lua);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_pushboolean(lua, false);
    lua_pushvalue(lua, -2);
    return 2;
  }
  return lua_gettop(lua) - static_cast<int>(skipped);
}

int protected_call(lua_State* lua) {
  luaL_checkany(lua, 1);
  lua_pushboolean(lua, true);
  lua_insert(lua, 1);
  const int status = lua_pcallk(lua, lua_gettop(lua) - 2, LUA_MULTRET, 0, 0, finish_protected_call);
  return finish_protected_call(lua, status, 0);
}

// Upvalue 1: the handler. It is not asked about a limit: it would run where none is looked at.
int call_handler(lua_State* lua) {
  if (Sandbox::of(lua).over(LUA_OK)) return 1;
  lua_settop(lua, 1);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, 1, 1);
  return 1;
}

int protected_call_with_handler(lua_State* lua) {
  const int arguments = lua_gettop(lua) - 2;
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_pushvalue(lua, 2);
  lua_pushcclosure(lua, call_handler, 1);
  lua_replace(lua, 2);
  lua_pushboolean(lua, true);
  lua_pushvalue(lua, 1);
  lua_rotate(lua, 3, 2);  // function handler true function arguments…
  const int status = lua_pcallk(lua, arguments, LUA_MULTRET, 2, 2, finish_protected_call);
  return finish_protected_call(lua, status, 2);
}

// Metatables are for a module's own tables: no finalizers, no weak keys (both would let code see
// when memory is collected).
int set_metatable(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_argexpected(lua, lua_isnil(lua, 2) || lua_istable(lua, 2), 2, "nil or table");
  if (is_protected(lua, 1)) return luaL_error(lua, "the metatable of this table cannot be changed");
  if (lua_istable(lua, 2)) {
    for (const char* name : {"__gc", "__mode"}) {
      lua_pushstring(lua, name);
      if (lua_rawget(lua, 2) != LUA_TNIL) {
        return luaL_error(lua, "a metatable may not have '%s' here", name);
      }
      lua_pop(lua, 1);
    }
  }
  lua_settop(lua, 2);
  lua_setmetatable(lua, 1);
  return 1;
}

int raw_set(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 3);
  lua_settop(lua, 3);
  if (is_protected(lua, 1)) return luaL_error(lua, "rawset: this table is read-only");
  lua_rawset(lua, 1);
  return 1;
}

int raw_get(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  push_contents(lua, 1);
  lua_pushvalue(lua, 2);
  lua_rawget(lua, -2);
  return 1;
}

int raw_len(lua_State* lua) {
  luaL_argexpected(lua, lua_istable(lua, 1) || lua_type(lua, 1) == LUA_TSTRING, 1,
                   "table or string");
  if (lua_istable(lua, 1)) push_contents(lua, 1);
  lua_pushinteger(lua, static_cast<lua_Integer>(lua_rawlen(lua, -1)));
  return 1;
}

int create_coroutine(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TFUNCTION);
  Sandbox::of(lua).charge(lua, coroutine_cost);
  lua_State* thread = lua_newthread(lua);
  lua_pushvalue(lua, 1);
  lua_xmove(lua, thread, 1);
  return 1;
}

// Resumes with the `arguments` on top of the stack, which the results or the error replace.
// Returns how many results there are; -1 for an error.
int resume(lua_State* lua, lua_State* thread, int arguments) {
  luaL_checkstack(lua, 4, nullptr);
  if (!lua_checkstack(thread, arguments)) {
    lua_pushliteral(lua, "too many arguments to resume");
    return -1;
  }
  lua_xmove(lua, thread, arguments);
  const int before = lua_status(thread);
  int results = 0;
  lua_State* const outer = Sandbox::of(lua).enter(thread);
  const int status = lua_resume(thread, lua, arguments, &results);
  Sandbox::of(lua).enter(outer);
  if (status == LUA_OK || status == LUA_YIELD) {
    luaL_checkstack(lua, results + 1, "too many results to resume");
    lua_xmove(thread, lua, results);
    return results;
  }
  if (Sandbox::of(lua).over(status)) Sandbox::of(lua).raise_limit(lua);
  if (lua_status(thread) == before) luaL_where(lua, 1);  // it did not even run
  lua_xmove(thread, lua, 1);
  if (lua_status(thread) == before) lua_concat(lua, 2);
  return -1;
}

int resume_coroutine(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTHREAD);
  const int results = resume(lua, lua_tothread(lua, 1), lua_gettop(lua) - 1);
  const int values = results < 0 ? 1 : results;
  lua_pushboolean(lua, results >= 0);
  lua_insert(lua, -values - 1);
  return values + 1;
}

int call_wrapped(lua_State* lua) {
  lua_State* thread = lua_tothread(lua, lua_upvalueindex(1));
  const int results = resume(lua, thread, lua_gettop(lua));
  return results < 0 ? lua_error(lua) : results;
}

int wrap_coroutine(lua_State* lua) {
  create_coroutine(lua);
  lua_pushcclosure(lua, call_wrapped, 1);
  return 1;
}

// What other Luas have and this one has not, so that the message can say so.
bool is_left_out(std::string_view name) {
  static constexpr std::string_view names[] = {
      "os",      "io",           "debug",        "package", "load",           "loadstring",
      "dofile",  "loadfile",     "print",        "warn",    "collectgarbage", "_G",
      "require", "getmetatable", "setmetatable", "rawset",  "rawget",         "coroutine"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Upvalue 1: the table of globals.
int unknown_global(lua_State* lua) {
  const bool text = lua_type(lua, 2) == LUA_TSTRING;
  Sandbox& sandbox = Sandbox::of(lua);
  {
    const std::string name = text ? lua_tostring(lua, 2) : type_name(lua, 2);
    if (is_left_out(name)) {
      sandbox.set_failure("'" + name + "' is not available here");
    } else {
      const std::string near = closest(name, text_keys(lua, lua_upvalueindex(1)));
      sandbox.set_failure("unknown name '" + name + "'" +
                          (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
  }
  return sandbox.fail(lua);
}

// Upvalue 1: the table of globals.
int set_global(lua_State* lua) {
  const char* name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?";
  lua_pushstring(lua, name);
  if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) {
    return luaL_error(lua, "'%s' cannot be assigned to", name);
  }
  lua_pushstring(lua, "require");
  const bool in_module = lua_rawget(lua, lua_upvalueindex(1)) == LUA_TFUNCTION;
  if (in_module && lua_isfunction(lua, 3)) {
    return luaL_error(lua,
                      "'%s' is not declared; write 'local function %s', and return what others "
                      "call: return {%s = %s}",
                      name, name, name, name);
  }
  return luaL_error(lua, "'%s' is not declared; write 'local %s'", name, name);
}

// Adds the names in the table on top of the stack, with `prefix` before them.
void collect(lua_State* lua, const std::string& prefix, std::vector<std::string>& names) {
  lua_pushnil(lua);
  while (lua_next(lua, -2) != 0) {
    const std::string name = prefix + text_at(lua, -2);
    names.push_back(name);
    if (prefix.empty() && lua_istable(lua, -1)) {
      push_contents(lua, -1);
      if (lua_istable(lua, -1)) collect(lua, name + ".", names);
      lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
  }
}

}  // namespace

int call_charged(lua_State* lua) {
  std::uint64_t size = 0;
  for (int i = lua_gettop(lua); i > 0; --i) {
    if (lua_type(lua, i) == LUA_TSTRING) size += lua_rawlen(lua, i);
  }
  Sandbox::of(lua).charge(lua, size / bytes_a_unit);
  return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

void keep(lua_State* lua, const char* library, lua_CFunction open,
          std::initializer_list<const char*> names, lua_CFunction wrapper) {
  luaL_requiref(lua, library, open, 0);
  for (const char* name : names) {
    lua_getfield(lua, -1, name);
    if (lua_tocfunction(lua, -1)) lua_pushcclosure(lua, wrapper, 1);
    lua_setfield(lua, -3, name);
  }
  lua_pop(lua, 1);
}

const char* push_text(lua_State* lua, int index, std::size_t* size) {
  index = lua_absindex(lua, index);
  if (lua_istable(lua, index) && luaL_callmeta(lua, index, "__tostring")) {
    if (lua_type(lua, -1) != LUA_TSTRING) luaL_error(lua, "'__tostring' must return a string");
    return lua_tolstring(lua, -1, size);
  }
  switch (lua_type(lua, index)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING:
      return luaL_tolstring(lua, index, size);
    default:
      lua_pushstring(lua, type_name(lua, index));
      return lua_tolstring(lua, -1, size);
  }
}

void push_library(lua_State* lua, Library which) {
  const luaL_Reg base[] = {{"assert", assert_true},
                           {"next", sorted_next},
                           {"pairs", sorted_pairs},
                           {"pcall", protected_call},
                           {"tostring", to_string},
                           {"type", type_of},
                           {"xpcall", protected_call_with_handler},
                           {nullptr, nullptr}};
  luaL_newlib(lua, base);
  keep(lua, LUA_GNAME, luaopen_base, {"error", "ipairs", "rawequal", "select", "tonumber"});
  push_null(lua);
  lua_setfield(lua, -2, "null");

  lua_newtable(lua);
  keep(lua, LUA_MATHLIBNAME, luaopen_math,
       {"abs",  "acos", "asin", "atan", "ceil",       "cos",  "deg",        "exp",  "floor",
        "fmod", "huge", "log",  "max",  "maxinteger", "min",  "mininteger", "modf", "pi",
        "rad",  "sin",  "sqrt", "tan",  "tointeger",  "type", "ult"});
  set_library(lua, "math");
  lua_newtable(lua);
  keep(lua, LUA_UTF8LIBNAME, luaopen_utf8,
       {"char", "charpattern", "codepoint", "codes", "len", "offset"});
  set_library(lua, "utf8");
  push_string_library(lua);
  set_library(lua, "string");
  push_table_library(lua);
  set_library(lua, "table");

  if (which == Library::modules) {
    const luaL_Reg raw[] = {{"rawget", raw_get},
                            {"rawlen", raw_len},
                            {"rawset", raw_set},
                            {"setmetatable", set_metatable},
                            {nullptr, nullptr}};
    luaL_setfuncs(lua, raw, 0);
    keep(lua, LUA_GNAME, luaopen_base, {"getmetatable"});
    const luaL_Reg coroutine[] = {{"create", create_coroutine},
                                  {"resume", resume_coroutine},
                                  {"wrap", wrap_coroutine},
                                  {nullptr, nullptr}};
    luaL_newlib(lua, coroutine);
    keep(lua, LUA_COLIBNAME, luaopen_coroutine, {"yield", "status", "isyieldable", "running"});
    set_library(lua, "coroutine");
  }
}

void make_environment(lua_State* lua) {
  // A chunk's _ENV is empty, so that every assignment to it is seen.
  lua_newtable(lua);  // globals unknown-meta
  lua_pushvalue(lua, -2);
  lua_pushcclosure(lua, unknown_global, 1);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);  // globals

  lua_newtable(lua);
  lua_newtable(lua);  // globals env meta
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pushvalue(lua, -3);
  lua_pushcclosure(lua, set_global, 1);
  lua_setfield(lua, -2, "__newindex");
  lua_pushboolean(lua, false);
  lua_setfield(lua, -2, "__metatable");
  lua_setmetatable(lua, -2);
  lua_remove(lua, -2);
}

std::vector<std::string> library_names(Library which) {
  std::vector<std::string> names;
  Sandbox sandbox({16u << 20, 1'000'000});
  sandbox.protect([&](lua_State* lua) {
    push_library(lua, which);
    collect(lua, "", names);
  });
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace agneto::script
