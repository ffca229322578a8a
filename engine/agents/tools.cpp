#include "agents/tools.h"

#include <algorithm>

namespace agneto::agents {

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

const Tool* known_tool(const std::string& program) {
  const auto& tools = known_tools();
  const auto found = std::find_if(tools.begin(), tools.end(),
                                  [&](const Tool& tool) { return tool.program == program; });
  return found == tools.end() ? nullptr : &*found;
}

}  // namespace agneto::agents
