// Sandbox drivers: how a program is started so that the operating system keeps it from what it has
// no business with. Lua, so that another one needs no compiling. See docs/security.md for the
// driver's side of this contract. (The Lua itself runs in a Sandbox, which is something else.)
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "script/driver_script.h"

namespace agneto::script {

// What a program may touch. Of the system it only reads.
struct Confinement {
  struct Mount {
    std::string path;  // as the program sees it
    std::string from;  // what is there: a folder or a file; empty: an empty folder, which stays so
    bool writes = false;
  };
  std::vector<std::string> system;  // folders with the system's programs and libraries
  std::vector<Mount> mounts;        // each after those that it is in
  std::string cwd;
  bool network = false;
  std::vector<std::string> variables;  // all that are in its environment
};

// Not thread-safe.
class SandboxDriver {
 public:
  // `name`: NAME.lua in the first folder that has it. Throws Error where there is none, listing
  // those there are, or where it cannot be used.
  SandboxDriver(const std::string& name, const Files& files,
                const std::vector<std::filesystem::path>& folders);

  // The program that must be on PATH; empty for none.
  const std::string& program() const { return program_; }
  // What to start instead of `argv`, where the program is in the sandbox. Throws HookError.
  std::vector<std::string> command(const Confinement& confinement,
                                   const std::vector<std::string>& argv);

 private:
  bool check(lua_State* lua);

  DriverScript script_;
  std::string program_;
};

}  // namespace agneto::script
