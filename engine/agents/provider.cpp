#include <fmt/format.h>

#include "agents/caller.h"
#include "agents/tools.h"
#include "base/error.h"

namespace agneto::agents {

std::string resolve_provider(const std::string& wanted, const Files& files,
                             const std::vector<std::filesystem::path>& folders,
                             const std::map<std::string, Json>& options) {
  if (wanted != "auto") {
    script::Driver driver(wanted, files, folders);
    const auto own = options.find(wanted);
    if (const auto why = driver.refusal(own == options.end() ? Json::object() : own->second)) {
      throw Error(*why, "do that, or choose another provider with --agent");
    }
    const std::string program = driver.program();
    if (program.empty() || process::find_program(program)) return wanted;
    const Tool* known = known_tool(program);
    throw Error(fmt::format("the provider '{}' needs the program '{}', which is not on PATH",
                            wanted, program),
                known == nullptr
                    ? fmt::format("install '{}', or choose another provider with --agent", program)
                    : fmt::format("install it with '{}', or choose another provider with --agent",
                                  known->install));
  }
  std::vector<std::string> names;
  for (const Tool& tool : known_tools()) {
    const std::string& name = names.emplace_back(tool.program);
    if (process::find_program(script::Driver(name, files, folders).program())) return name;
  }
  throw Error("there is no agent on PATH: looked for " + join(names, ", "),
              fmt::format("install one, for example Claude Code with '{}' or Codex with '{}'; "
                          "'./dev demo' shows a run without any",
                          known_tool("claude")->install, known_tool("codex")->install));
}

}  // namespace agneto::agents
