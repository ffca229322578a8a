#include <fmt/format.h>

#include <map>

#include "agents/caller.h"
#include "base/error.h"

namespace agneto::agents {

namespace {

const std::vector<std::string> automatic{"claude", "codex", "opencode", "gemini"};

// How to get the programs that we know.
const std::map<std::string, std::string> installation{
    {"claude", "npm install -g @anthropic-ai/claude-code"},
    {"codex", "npm install -g @openai/codex"},
    {"opencode", "npm install -g opencode-ai"},
    {"gemini", "npm install -g @google/gemini-cli"},
};

}  // namespace

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
    const auto known = installation.find(program);
    throw Error(fmt::format("the provider '{}' needs the program '{}', which is not on PATH",
                            wanted, program),
                known == installation.end()
                    ? fmt::format("install '{}', or choose another provider with --agent", program)
                    : fmt::format("install it with '{}', or choose another provider with --agent",
                                  known->second));
  }
  for (const std::string& name : automatic) {
    if (process::find_program(script::Driver(name, files, folders).program())) return name;
  }
  throw Error("there is no agent on PATH: looked for " + join(automatic, ", "),
              fmt::format("install one, for example Claude Code with '{}' or Codex with '{}'; "
                          "'./dev demo' shows a run without any",
                          installation.at("claude"), installation.at("codex")));
}

}  // namespace agneto::agents
