// What the bundled drivers make of an agent's settings, and what they refuse.
#include "providers/replay.h"

namespace agneto::script {
namespace {

using testing::ElementsAre;
using testing::Pair;

// With all settings: options of the provider, and behind them the agent's.
DriverCall call_with_settings() {
  DriverCall call = call_with("read-only");
  call.options = {{"args", {"--first"}}, {"env", {{"A", "options"}, {"B", "options"}}}};
  call.effort = "high";
  call.args = {"--last", "word"};
  call.env = {{"B", "call"}, {"C", "call"}};
  call.mcp = {{"docs", {{"url", "https://d.example"}, {"headers", {{"X-Team", "web \"1\""}}}}},
              {"lab", {{"command", {"lab", "--fast"}}, {"env", {{"KEY", "v"}}}}}};
  return call;
}

std::string refusal(const std::string& provider, const std::string& setting,
                    const Json& arguments) {
  return bundled(provider).refusal_of_setting(setting, arguments).value_or("");
}

TEST(Settings, OfClaude) {
  const DriverCommand command = bundled("claude").command(call_with_settings());
  EXPECT_EQ(argv(command),
            "claude -p --output-format stream-json --verbose --include-partial-messages "
            "--permission-mode dontAsk --allowedTools mcp__docs__*,mcp__lab__* --disallowedTools "
            "Edit,Write,NotebookEdit,EnterWorktree --effort high --mcp-config {files}/mcp.json "
            "--first --last word");
  EXPECT_THAT(
      command.files,
      ElementsAre(Pair("mcp.json", R"({"mcpServers":{"docs":{"headers":{"X-Team":"web \"1\""},)"
                                   R"("type":"http","url":"https://d.example"},"lab":{"args":)"
                                   R"(["--fast"],"command":"lab","env":{"KEY":"v"}}}})")));
  EXPECT_THAT(command.env, ElementsAre(Pair("A", "options"), Pair("B", "call"), Pair("C", "call")));
}

TEST(Settings, OfCodex) {
  const DriverCommand command = bundled("codex").command(call_with_settings());
  EXPECT_EQ(argv(command),
            "codex exec --json --skip-git-repo-check --sandbox read-only "
            "-c model_reasoning_effort=\"high\" "
            "-c mcp_servers.docs.url=\"https://d.example\" "
            "-c mcp_servers.docs.http_headers={\"X-Team\" = \"web \\\"1\\\"\"} "
            "-c mcp_servers.docs.default_tools_approval_mode=\"approve\" "
            "-c mcp_servers.lab.command=\"lab\" -c mcp_servers.lab.args=[\"--fast\"] "
            "-c mcp_servers.lab.env={\"KEY\" = \"v\"} "
            "-c mcp_servers.lab.default_tools_approval_mode=\"approve\" --first --last word -");
  EXPECT_THAT(command.env, ElementsAre(Pair("A", "options"), Pair("B", "call"), Pair("C", "call"),
                                       Pair("TMPDIR", "{files}")));
}

TEST(Settings, OfOpencode) {
  const DriverCommand command = bundled("opencode").command(call_with_settings());
  EXPECT_EQ(argv(command),
            "opencode run --format json --print-logs --log-level ERROR --variant high --first "
            "--last word");
  EXPECT_THAT(command.env,
              testing::IsSupersetOf(
                  {Pair("OPENCODE_CONFIG_CONTENT",
                        R"({"mcp":{"docs":{"enabled":true,"headers":{"X-Team":"web \"1\""},)"
                        R"("type":"remote","url":"https://d.example"},"lab":{"command":)"
                        R"(["lab","--fast"],"enabled":true,"environment":{"KEY":"v"},)"
                        R"("type":"local"}}})"),
                   Pair("OPENCODE_PERMISSION", R"({"bash":"deny","docs_*":"allow","edit":"deny",)"
                                               R"("lab_*":"allow"})")}));
}

TEST(Settings, OfGemini) {
  const DriverCommand command = bundled("gemini").command(call_with_settings());
  EXPECT_EQ(
      argv(command),
      "gemini --output-format stream-json --skip-trust --approval-mode default --first --last "
      "word");
  EXPECT_THAT(command.env, ElementsAre(Pair("A", "options"), Pair("B", "call"), Pair("C", "call")));
}

TEST(Settings, OfAnyProgram) {
  DriverCall call = call_with_settings();
  call.options = {{"argv", {"./agent.sh"}}};
  call.mcp = {{"lab", {{"command", {"lab"}}}}};
  const DriverCommand command = bundled("command").command(call);
  EXPECT_EQ(argv(command), "./agent.sh --last word");
  EXPECT_THAT(command.env,
              testing::IsSupersetOf({Pair("AGNETO_EFFORT", "high"), Pair("C", "call"),
                                     Pair("AGNETO_MCP", R"({"lab":{"command":["lab"]}})")}));
}

TEST(Settings, WordsThatACliDoesNotKnowAreRefused) {
  EXPECT_EQ(refusal("claude", "effort", {"xhigh"}), "");
  EXPECT_EQ(refusal("claude", "effort", {"minimal"}),
            "'minimal' is none of low, medium, high, xhigh, max");
  EXPECT_EQ(refusal("codex", "effort", {"minimal"}), "");
  EXPECT_EQ(refusal("codex", "effort", {"very high"}), "'very high' is no word");
  EXPECT_EQ(refusal("gemini", "effort", {"high"}), "its provider does not pass it on");
  EXPECT_EQ(refusal("gemini", "mcp", {"lab", {{"command", {"lab"}}}}),
            "its provider does not pass it on");
  EXPECT_EQ(refusal("offline", "effort", {"any"}), "");
}

TEST(Settings, ArgumentsAreOptions) {
  for (const char* provider : {"claude", "codex", "opencode", "gemini"}) {
    EXPECT_EQ(refusal(provider, "args", Json::array({Json::array({"--max-turns", "5"})})), "")
        << provider;
    EXPECT_EQ(refusal(provider, "args", Json::array({Json::array({"do this instead"})})),
              "they begin with 'do this instead', which is no option")
        << provider;
    EXPECT_EQ(
        refusal(provider, "args", Json::array({Json::array({"-x", "--", "do this instead"})})),
        "what comes behind '--' is no option")
        << provider;
  }
  EXPECT_EQ(refusal("command", "args", Json::array({Json::array({"any"})})), "");
}

// What an agent may do is said by them.
TEST(Settings, VariablesOfTheDriverAreItsOwn) {
  EXPECT_EQ(refusal("opencode", "env", {"OPENCODE_PERMISSION", "{}"}),
            "the driver sets OPENCODE_PERMISSION itself");
  EXPECT_EQ(refusal("opencode", "env", {"OTHER", "{}"}), "");
}

}  // namespace
}  // namespace agneto::script
