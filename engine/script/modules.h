// Lua files that make up a program: loading them, and `require` between them.
//
// `require "x.y"` finds x/y.lua beside the file that asks, then in the folders to search, of which
// a file of a package sees its own package and the hook library; `require "kit/x.y"` finds it in
// the package `kit` of the folder. The names are words with dots, so that they can lead nowhere
// else, and a file that a symbolic link takes out of the allowed folders is refused. `require
// "json"` is the engine's own.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/source.h"
#include "model/inline_prompt.h"
#include "model/packages.h"
#include "script/sandbox.h"

namespace agneto::script {

// Where modules may come from: `require "x.y"` finds x/y.lua beside the module that asks, in
// `scripts` of each root and in the root itself, then in `library` (the hook library of this
// program). Nowhere else.
struct ModulePaths {
  std::vector<std::filesystem::path> roots;
  std::filesystem::path library;

  std::vector<std::filesystem::path> search() const;
  std::vector<std::filesystem::path> allowed() const;
};

// Where `require` looks.
class ModuleSearch {
 public:
  // `allowed`: the roots, and the library last, outside of which nothing is loaded.
  ModuleSearch(const Files& files, std::vector<fs::path> search, std::vector<fs::path> allowed);
  ModuleSearch(const Files& files, const ModulePaths& paths)
      : ModuleSearch(files, paths.search(), paths.allowed()) {}

  // The files that a module of that name may be in, the first one before the others, for one that
  // is in `beside`. None, and why, where it can be in none.
  struct Candidates {
    std::vector<fs::path> files;
    std::string problem = {};
  };
  Candidates candidates(const std::string& name, const fs::path& beside);
  const std::vector<fs::path>& allowed() const { return allowed_; }
  bool is_of_library(const fs::path& file) const {
    return !allowed_.back().empty() && is_within(file, allowed_.back().lexically_normal());
  }

 private:
  const std::vector<fs::path> search_;
  const std::vector<fs::path> allowed_;
  model::Packages packages_;
};

class Modules {
 public:
  // Sets the sandbox's globals. `allowed`: nothing outside these folders is loaded.
  Modules(Sandbox& sandbox, const Files& files, std::vector<fs::path> search,
          std::vector<fs::path> allowed);
  Modules(Sandbox& sandbox, const Files& files, const ModulePaths& paths)
      : Modules(sandbox, files, paths.search(), paths.allowed()) {}
  Modules(const Modules&) = delete;
  Modules& operator=(const Modules&) = delete;

  // Leaves the module's value on the stack: what its file returned when it was first asked for, or
  // true. Raises Lua errors: for use within Sandbox::run.
  void push(lua_State* lua, const fs::path& file);

  // Where a message's place is, "FILE:LINE: …", in a file that was loaded; nowhere if it has none.
  // The rest of the message is left in it then.
  Span take_place(std::string& message) const;

 private:
  static int require_from_lua(lua_State* lua);
  int run_module(lua_State* lua, const char* key);

  // No Lua errors: `false` with the sandbox's failure set.
  bool find(const std::string& name, const fs::path& beside);
  bool read(const fs::path& file);
  bool load(lua_State* lua, const char* key);
  bool open(const fs::path& file);  // false: there is no such file
  bool is_allowed(const fs::path& file) const;

  Sandbox& sandbox_;
  const Files& files_;
  ModuleSearch search_;
  std::map<std::string, SourcePtr> sources_;  // by the path of the module
  std::map<std::string, model::InlinePrompt> inline_prompts_;
  std::vector<std::string> loading_;  // files whose code runs now, outermost first
  std::string current_;               // the file that was opened last
};

}  // namespace agneto::script
