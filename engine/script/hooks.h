// Agents' hooks: what is asked of an agent and how its reply is read.
//
// A Hooks object owns a Lua sandbox; it is not thread-safe and cheap enough to make one per call.
// Errors in a hook (thrown, endless, out of memory) come back as HookError, never as a crash.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

#include "base/diagnostic.h"
#include "base/files.h"
#include "base/json.h"
#include "model/machine.h"
#include "script/modules.h"
#include "script/sandbox.h"

namespace agneto::script {

// What went wrong in Lua, with file and line: "scripts/coder.lua:12: attempt to …".
class HookError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct VerdictReply {
  std::string name;
  Json fields = Json::object();
  std::string problem = {};  // instead of both: what the hook finds wrong with the reply
};

// Makes `m.workspace` when a hook first looks at it, since making it costs time that most hooks
// need not spend. What it throws comes out of the call unchanged.
using WorkspaceSource = std::function<Json()>;

class Hooks {
 public:
  Hooks(const Files& files, const ModulePaths& paths);

  // A stop ends what a hook does, which then comes back as HookError.
  void heed(std::stop_token stop) { sandbox_.heed(std::move(stop)); }
  bool was_stopped() const { return sandbox_.was_stopped(); }

  // The text to send. `m` is what hooks see: {inputs, ctx, run, state, task, attempt, last_error,
  // verdicts, workspace}.
  std::string prompt(const std::filesystem::path& module, const std::string& task, const Json& m,
                     const WorkspaceSource& workspace = {});

  // The verdict in the reply, by the module's `parse` or the standard reader; nothing if it has
  // none and nobody says why. Whether the state declares it is not checked here.
  std::optional<VerdictReply> parse(const std::filesystem::path& module, const std::string& task,
                                    const std::string& reply, const Json& m,
                                    const WorkspaceSource& workspace = {});

  // What the engine appends to a prompt so that the verdict can be read: the verdicts, their
  // fields, the form of the answer: what the provider's driver says of it (Driver::verdict), or a
  // fenced block. Empty where there are no verdicts. (scripts/lib/agneto.lua)
  std::string verdict_format(const Json& verdicts, const std::string& way = {});

  // Loads the module and reports what is wrong with it (missing file, syntax, no `prompt`, unknown
  // task) at `span`, or in the Lua file itself.
  void check(const model::Agent& agent, const std::string& task, Span span,
             Diagnostics& diagnostics);

 private:
  struct Pending;  // what one call's m.workspace is made of

  // Pushes m, whose `workspace` is made at the first look where there is a source.
  void push_m(lua_State* lua, const Json& seen);
  static int look_up(lua_State* lua);  // __index of m's contents
  void make_workspace();

  void push_library_function(lua_State* lua, const char* name);
  // Pushes the table with the `prompt` and `parse` of a task; raises what is wrong with it.
  void push_role(lua_State* lua, const std::filesystem::path& module, const std::string& task);
  // These raise no Lua error, and give false with the sandbox's failure set. `find_role` goes on
  // from the module's value on top of the stack, `read_reply` from the verdict's name and fields.
  bool find_role(lua_State* lua, const std::filesystem::path& module, const std::string& task);
  bool read_reply(lua_State* lua, const std::filesystem::path& module,
                  std::optional<VerdictReply>& result);
  bool note(const std::filesystem::path& module, const std::string& what) {
    return sandbox_.set_failure(module.string() + ": " + what);
  }
  int refuse(lua_State* lua, const std::filesystem::path& module, const char* what);

  Sandbox sandbox_{hook_limits};
  const std::filesystem::path library_;
  Modules modules_;
  Pending* pending_ = nullptr;
  lua_Integer call_ = 0;
};

}  // namespace agneto::script
