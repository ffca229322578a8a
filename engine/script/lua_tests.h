// Unit tests of hook modules, in Lua: a file returns a table of functions by name. One that raises
// an error has failed. They see what hooks see, no more, and each begins with its modules loaded
// anew.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "script/hooks.h"

namespace agneto::script {

// Not thread-safe. `files` outlive it.
class LuaTests {
 public:
  // `library`: the hook library's folder. Modules come from beside the file, from the folder around
  // the nearest one that is called `scripts`, and from there.
  LuaTests(const Files& files, const std::filesystem::path& file,
           const std::filesystem::path& library);

  // In alphabetical order. Throws HookError where the file cannot be read, or returns no such
  // table.
  std::vector<std::string> names() const;
  // Why it failed, "FILE:LINE: what"; nothing where it passed.
  std::optional<std::string> run(const std::string& name) const;

 private:
  const Files& files_;
  std::filesystem::path file_;
  ModulePaths paths_;
};

}  // namespace agneto::script
