#include "script/lua_tests.h"

#include <algorithm>

#include "script/modules.h"
#include "script/sandbox.h"
#include "script/values.h"

namespace agneto::script {
namespace {

namespace fs = std::filesystem;

fs::path root_of(const fs::path& file) {
  for (fs::path up = file.parent_path(); !up.empty(); up = up.parent_path()) {
    if (up.filename() == "scripts") return up.parent_path();
    if (up == up.parent_path()) break;
  }
  return file.parent_path();
}

// A sandbox with the file's modules.
struct Bench {
  Bench(const Files& files, const ModulePaths& paths) : modules(sandbox, files, paths) {}

  Sandbox sandbox{hook_limits};
  Modules modules;
};

}  // namespace

LuaTests::LuaTests(const Files& files, const fs::path& file, const fs::path& library)
    : files_(files), file_(file.lexically_normal()), paths_{{root_of(file_)}, library} {}

std::vector<std::string> LuaTests::names() const {
  Bench bench(files_, paths_);
  std::vector<std::string> names;
  bool fits = true;
  const auto error = bench.sandbox.run([&](lua_State* lua) {
    bench.modules.push(lua, file_);
    fits = lua_istable(lua, -1);
    const int table = lua_gettop(lua);
    if (fits) {
      for (lua_pushnil(lua); lua_next(lua, table) != 0; lua_pop(lua, 1)) {
        if (lua_type(lua, -2) != LUA_TSTRING || !lua_isfunction(lua, -1)) {
          fits = false;
        } else {
          names.push_back(text_at(lua, -2));
        }
      }
    }
  });
  if (error) throw HookError(*error);
  if (!fits || names.empty()) {
    throw HookError(file_.string() + ": a test file returns a table of functions by name");
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> LuaTests::run(const std::string& name) const {
  Bench bench(files_, paths_);
  return bench.sandbox.run([&](lua_State* lua) {
    bench.modules.push(lua, file_);
    lua_getfield(lua, -1, name.c_str());
    lua_call(lua, 0, 0);
  });
}

}  // namespace agneto::script
