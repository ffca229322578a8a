// A driver's Lua: the file that returns a table of functions. It has a Lua sandbox of its own, as
// long as this lives. Not thread-safe.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "script/modules.h"
#include "script/sandbox.h"

namespace agneto::script {

class DriverScript {
 public:
  // What the file requires is beside it, in one of the folders, or in a `lib` beside one of these.
  // The files outlive this.
  DriverScript(std::filesystem::path file, const Files& files,
               const std::vector<std::filesystem::path>& folders);

  // A stop ends what it does, which then comes back as HookError.
  void heed(std::stop_token stop) { sandbox_.heed(std::move(stop)); }
  bool was_stopped() const { return sandbox_.was_stopped(); }

  // Shows what the file returned, on top of the stack, to `check`, which raises no Lua error, and
  // says by `refuse`, which returns false, what is wrong with it. Returns that; nothing where it is
  // right.
  std::optional<std::string> inspect(const std::function<bool(lua_State*)>& check);
  bool refuse(const std::string& what);
  // For `check`: is the table's field a text, or not there?
  static bool read_text(lua_State* lua, const char* name, std::string& text);
  // The same of a list of texts.
  static bool read_texts(lua_State* lua, const char* name,
                         std::optional<std::vector<std::string>>& texts);

  // What the function makes of the arguments; null where there is none. `table`: the one in the
  // driver's that has the function; null: the driver's own. Throws HookError.
  Json call(const char* function, const Json& arguments, const char* table = nullptr);
  // "scripts/providers/x.lua: what 'command' returned", as messages begin.
  std::string returned(const char* function) const;

 private:
  bool read(lua_State* lua, const char* function, Json& result);

  Sandbox sandbox_{hook_limits};
  const std::filesystem::path file_;
  Modules modules_;
};

}  // namespace agneto::script
