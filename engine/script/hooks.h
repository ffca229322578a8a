// Agents' hooks: what is asked of an agent and how its reply is read.
//
// A Hooks object owns a Lua sandbox; it is not thread-safe and cheap enough to make one per call.
// Errors in a hook (thrown, endless, out of memory) come back as HookError, never as a crash.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/diagnostic.h"
#include "base/files.h"
#include "base/json.h"
#include "model/machine.h"

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

// Where modules may come from: `require "x.y"` finds x/y.lua beside the module that asks, in
// `root`/scripts and `root`, then in `library` (the hook library of this program). Nowhere else.
struct ModulePaths {
  std::filesystem::path root;
  std::filesystem::path library;
};

// Makes `m.workspace` when a hook first looks at it, since making it costs time that most hooks
// need not spend. What it throws comes out of the call unchanged.
using WorkspaceSource = std::function<Json()>;

class Hooks {
 public:
  Hooks(const Files& files, ModulePaths paths);
  ~Hooks();

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
  // fields, the form of the answer. Empty where there are no verdicts. (scripts/lib/agneto.lua)
  std::string verdict_format(const Json& verdicts);

  // Loads the module and reports what is wrong with it (missing file, syntax, no `prompt`, unknown
  // task) at `span`, or in the Lua file itself.
  void check(const model::Agent& agent, const std::string& task, Span span,
             Diagnostics& diagnostics);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Verdicts as hooks see them: [{"name": "OK", "fields": [{"name": "label", "type": "string",
// "optional": false}]}].
Json verdicts_to_json(const std::vector<model::Verdict>& verdicts);
// The JSON Schema of a reply that carries one of the verdicts, for providers that can enforce it.
Json verdict_schema(const std::vector<model::Verdict>& verdicts);

}  // namespace agneto::script
