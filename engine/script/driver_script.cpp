#include "script/driver_script.h"

#include <algorithm>

#include "script/hooks.h"
#include "script/values.h"

namespace agneto::script {

namespace {

// The folders, that of the driver, and the libraries beside them, where modules are that drivers
// share with hooks.
std::vector<fs::path> with_libraries(std::vector<fs::path> folders, const fs::path& driver) {
  if (std::ranges::find(folders, driver.parent_path()) == folders.end()) {
    folders.push_back(driver.parent_path());
  }
  const std::size_t count = folders.size();
  for (std::size_t i = 0; i < count; ++i) folders.push_back(folders[i].parent_path() / "lib");
  return folders;
}

}  // namespace

DriverScript::DriverScript(fs::path file, const Files& files, const std::vector<fs::path>& folders)
    : file_(std::move(file)),
      modules_(sandbox_, files, with_libraries(folders, file_), with_libraries(folders, file_)) {}

std::optional<std::string> DriverScript::inspect(const std::function<bool(lua_State*)>& check) {
  return sandbox_.run([&](lua_State* lua) {
    modules_.push(lua, file_);
    if (!check(lua)) sandbox_.fail(lua);
  });
}

bool DriverScript::refuse(const std::string& what) {
  return sandbox_.set_failure(file_.string() + ": " + what);
}

bool DriverScript::read_text(lua_State* lua, const char* name, std::string& text) {
  const int type = push_field(lua, name);
  if (type == LUA_TSTRING) text = valid_utf8(text_at(lua, -1));
  lua_pop(lua, 1);
  return type == LUA_TNIL || type == LUA_TSTRING;
}

bool DriverScript::read_texts(lua_State* lua, const char* name,
                              std::optional<std::vector<std::string>>& texts) {
  Json list;
  std::string why;
  const bool is_there = push_field(lua, name) != LUA_TNIL;
  const bool is_list = is_there && script::to_json(lua, -1, list, why) && list.is_array();
  lua_pop(lua, 1);
  if (!is_there) return true;
  const auto is_text = [](const Json& text) { return text.is_string(); };
  if (!is_list || !std::ranges::all_of(list, is_text)) return false;
  texts = list.get<std::vector<std::string>>();
  return true;
}

Json DriverScript::call(const char* function, const Json& arguments, const char* table) {
  Json result;
  auto error = sandbox_.run([&](lua_State* lua) {
    modules_.push(lua, file_);
    if (table) lua_getfield(lua, -1, table);
    if (lua_getfield(lua, -1, function) == LUA_TFUNCTION) {
      for (const auto& argument : arguments) push_read_only(lua, argument, "call");
      lua_call(lua, static_cast<int>(arguments.size()), 1);
      if (!read(lua, function, result)) sandbox_.fail(lua);
    }
  });
  if (error) throw HookError(*error);
  return result;
}

bool DriverScript::read(lua_State* lua, const char* function, Json& result) {
  std::string why;
  return script::to_json(lua, -1, result, why) || sandbox_.set_failure(returned(function) + why);
}

std::string DriverScript::returned(const char* function) const {
  return file_.string() + ": what '" + function + "' returned";
}

}  // namespace agneto::script
