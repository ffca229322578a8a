#include <algorithm>
#include <string>

#include "script/library.h"
#include "script/sandbox.h"
#include "script/values.h"

namespace agneto::script {

namespace {

constexpr std::size_t max_text = 16u << 20;
constexpr std::uint64_t json_bytes_a_unit = 4;

// Deepest nesting of brackets outside strings.
int depth_of(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

int encode(lua_State* lua) {
  luaL_checkany(lua, 1);
  Sandbox& sandbox = Sandbox::of(lua);
  bool ok = false;
  {
    Json value;
    std::string text;
    ok = to_json(lua, 1, value, text);
    sandbox.set_failure(ok ? to_text(value) : "json.encode: the value" + text);
  }
  if (!ok) return sandbox.fail(lua);
  const std::string& text = sandbox.failure();
  sandbox.charge(lua, text.size() / json_bytes_a_unit);
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

int push_value(lua_State* lua) {
  push(lua, *static_cast<const Json*>(lua_touserdata(lua, 1)));
  return 1;
}

int refuse(lua_State* lua, const char* why) {
  lua_pushnil(lua);
  lua_pushstring(lua, why);
  return 2;
}

int decode(lua_State* lua) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, 1, &size);
  Sandbox& sandbox = Sandbox::of(lua);
  sandbox.charge(lua, size / json_bytes_a_unit);
  if (size > max_text) return refuse(lua, "the text is too long");
  if (depth_of({text, size}) > max_depth) return refuse(lua, "nested too deeply");
  bool sound = false;
  int status = LUA_OK;
  {
    const Json value = Json::parse(text, text + size, nullptr, false);
    sound = !value.is_discarded();
    if (sound) {
      lua_pushcfunction(lua, push_value);
      lua_pushlightuserdata(lua, const_cast<Json*>(&value));
      status = lua_pcall(lua, 1, 1, 0);
    }
  }
  if (!sound) return refuse(lua, "not JSON");
  if (sandbox.over(status)) return sandbox.raise_limit(lua);
  return status == LUA_OK ? 1 : lua_error(lua);
}

}  // namespace

void push_json_library(lua_State* lua) {
  const luaL_Reg functions[] = {{"decode", decode}, {"encode", encode}, {nullptr, nullptr}};
  luaL_newlib(lua, functions);
  make_read_only(lua, "json");
}

}  // namespace agneto::script
