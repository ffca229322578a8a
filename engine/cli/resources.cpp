#include <cstdlib>
#include <system_error>

#include "base/error.h"
#include "cli/commands.h"

namespace agneto::cli {
namespace {

fs::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? fs::path(value) : fs::path();
}

fs::path user_folder() {
  if (fs::path config = variable("XDG_CONFIG_HOME"); !config.empty()) return config / "agneto";
  if (fs::path home = variable("HOME"); !home.empty()) return home / ".config" / "agneto";
  return {};
}

fs::path first_existing(const std::vector<fs::path>& candidates, const char* marker) {
  for (const auto& candidate : candidates) {
    std::error_code ignored;
    if (!candidate.empty() && fs::exists(candidate / marker, ignored)) {
      return candidate.lexically_normal();
    }
  }
  return {};
}

}  // namespace

run::Resources find_resources() {
  fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  run::Resources resources;
  // Installed, share/agneto stands beside bin/; in a build tree the sources are two folders up.
  resources.share = first_existing(
      {variable("AGNETO_HOME"), program / ".." / "share" / "agneto", program / ".." / ".."},
      "scripts/lib/agneto.lua");
  if (resources.share.empty()) {
    throw Error("the bundled workflows and scripts are not beside " + program.string(),
                "set AGNETO_HOME to the folder that holds workflows/ and scripts/");
  }
  fs::path guard = first_existing({program, program / ".." / "libexec" / "agneto"}, "agneto-guard");
  if (guard.empty()) {
    throw Error("agneto-guard is not beside " + program.string(),
                "build or install the whole of Agneto: ./dev build");
  }
  resources.guard = guard / "agneto-guard";
  resources.user = user_folder();
  return resources;
}

}  // namespace agneto::cli
