#include <algorithm>

#include "script/library.h"
#include "script/sandbox.h"
#include "script/values.h"

namespace agneto::script {

namespace {

// Those of the table on top of the stack, with `prefix` before them.
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

std::vector<std::string> library_names(Library which) {
  std::vector<std::string> names;
  Sandbox sandbox({16u << 20, 1'000'000});
  sandbox.protect([&](lua_State* lua) {
    push_library(lua, which);
    collect(lua, "", names);
    lua_pop(lua, 1);
  });
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace agneto::script
