#include "agents/tools.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/caller.h"
#include "base/error.h"

namespace agneto::agents {

namespace {

// Null where there is none of that name.
const Tool* known_tool(const std::string& program) {
  const auto found = std::ranges::find(known_tools(), program, &Tool::program);
  return found == known_tools().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<Tool>& known_tools() {
  static const std::vector<Tool> tools{
      {"claude",
       "npm install -g @anthropic-ai/claude-code",
       {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"},
       {".claude/.credentials.json"},
       "run 'claude' and follow it, or set ANTHROPIC_API_KEY"},
      {"codex",
       "npm install -g @openai/codex",
       {"OPENAI_API_KEY", "CODEX_API_KEY"},
       {".codex/auth.json"},
       "run 'codex login', or set OPENAI_API_KEY"},
      {"opencode",
       "npm install -g opencode-ai",
       {"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"},
       {".local/share/opencode/auth.json"},
       "run 'opencode auth login'"},
      {"gemini",
       "npm install -g @google/gemini-cli",
       {"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI"},
       {".gemini/oauth_creds.json"},
       "run 'gemini' and follow it, or set GEMINI_API_KEY"},
  };
  return tools;
}

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
