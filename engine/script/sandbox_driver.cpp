#include "script/sandbox_driver.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "script/driver.h"
#include "script/fields.h"
#include "script/values.h"

namespace agneto::script {

namespace {

fs::path sandbox_file(const std::string& name, const Files& files,
                      const std::vector<fs::path>& folders) {
  const bool is_name = !name.empty() && std::ranges::all_of(name, is_word);
  for (const fs::path& folder : is_name ? folders : std::vector<fs::path>()) {
    fs::path file = (folder / (name + ".lua")).lexically_normal();
    if (files.read(file)) return file;
  }
  throw Error("there is no sandbox '" + name + "'",
              suggestion(name, providers_in(folders), "sandboxes"));
}

Json to_json(const Confinement& confinement) {
  Json mounts = Json::array();
  for (const auto& [path, from, writes] : confinement.mounts) {
    mounts.push_back({{"path", path}, {"from", from}, {"writes", writes}});
  }
  return {{"system", confinement.system},
          {"mounts", std::move(mounts)},
          {"cwd", confinement.cwd},
          {"network", confinement.network},
          {"variables", confinement.variables}};
}

}  // namespace

SandboxDriver::SandboxDriver(const std::string& name, const Files& files,
                             const std::vector<fs::path>& folders)
    : script_(sandbox_file(name, files, folders), files, folders) {
  const auto error = script_.inspect([this](lua_State* lua) { return check(lua); });
  if (error) throw Error("the sandbox '" + name + "' cannot be used: " + *error);
}

bool SandboxDriver::check(lua_State* lua) {
  if (!lua_istable(lua, -1) || field_type(lua, "command") != LUA_TFUNCTION) {
    return script_.refuse(
        "a sandbox must return a table, {command = function(call, argv) ... end}");
  }
  return DriverScript::read_text(lua, "program", program_) ||
         script_.refuse("'program' must be a program's name");
}

std::vector<std::string> SandboxDriver::command(const Confinement& confinement,
                                                const std::vector<std::string>& argv) {
  const std::string what = script_.returned("command");
  const Json result = script_.call("command", Json::array({to_json(confinement), argv}));
  auto command = Fields(result, what, {"argv"}).texts("argv");
  if (command.empty()) throw HookError(what + ": 'argv' is missing");
  return command;
}

}  // namespace agneto::script
