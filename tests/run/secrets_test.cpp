#include "run/secrets.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

using Secrets = std::map<std::string, std::string>;

Secrets found(const std::string& yaml, const Secrets& environment = {}) {
  const MemoryFiles files({{"/config.yaml", yaml}});
  Diagnostics diagnostics;
  const Config config = load_config("/config.yaml", files, diagnostics);
  EXPECT_EQ(render(diagnostics), "");
  return known_secrets(config, environment);
}

TEST(Secrets, AreWhatIsNamedSoInTheConfiguration) {
  EXPECT_EQ(found(R"yaml(
providers:
  claude:
    env: {ANTHROPIC_API_KEY: abcd-1234, ANTHROPIC_MODEL: claude-sonnet-4-20250514}
    args: [--effort, high, --auth-token, tok-in-args, "--password=pass-in-args"]
  command:
    argv: [agent, "API_KEY=key-in-argv"]
    env: {SESSION: Zm9vYmFyYmF6cXV4, HOME_OF_IT: /srv/codex, URL: "http://127.0.0.1:8080"}
  codex:
    nested: {client: {secret: deeply-nested}}
env: {ALL_TOKEN: token-of-all}
agents:
  coder: {env: {ANY: Zm9vYmFyYmF6cXV5}, args: [--auth-token, tok-of-coder]}
workflows:
  fix: {agents: {coder: {mcp: {lab: {command: [lab], env: {LAB_SECRET: secret-of-lab}}}}}}
notify:
  - {webhook: "https://example.com/hook", secret: secret-of-hook}
  - {webhook: $HOOK_URL, secret: $HOOK_SECRET}
workspace:
  setup: export NPM_TOKEN="token-in-setup" && npm ci
)yaml"),
            (Secrets{{"abcd-1234", "ANTHROPIC_API_KEY"},
                     {"tok-in-args", "auth-token"},
                     {"pass-in-args", "password"},
                     {"key-in-argv", "API_KEY"},
                     {"Zm9vYmFyYmF6cXV4", "SESSION"},
                     {"deeply-nested", "secret"},
                     {"token-of-all", "ALL_TOKEN"},
                     {"Zm9vYmFyYmF6cXV5", "ANY"},
                     {"tok-of-coder", "auth-token"},
                     {"secret-of-lab", "LAB_SECRET"},
                     {"secret-of-hook", "secret"},
                     {"token-in-setup", "NPM_TOKEN"}}));
}

TEST(Secrets, AreNotNamesOfVariablesFilesAndSmallThings) {
  EXPECT_EQ(found(R"yaml(
providers:
  codex:
    env: {MAX_TOKENS: "32000000", API_KEY: $OTHER_KEY, SIGNING_KEY: ~/key.pem, TOKEN: short}
    env_key: OPENAI_API_KEY
    key: "{env:LOCAL_KEY}"
)yaml"),
            Secrets());
}

TEST(Secrets, AreInTheEnvironmentThatAgentsInherit) {
  EXPECT_EQ(found("", {{"AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG"},
                       {"GITHUB_TOKEN", "abc"},
                       {"PATH", "/usr/bin:/bin:/AbCdEfGh12345678"},
                       {"KEYBOARD", "wJalrXUtnFEMI0123456"},
                       {"PRIVATE_KEY", "/etc/passwd"}}),
            (Secrets{{"wJalrXUtnFEMI/K7MDENG", "AWS_SECRET_ACCESS_KEY"}}));
}

TEST(Secrets, OfAConfigurationWithMistakesAreFoundAsFarAsItCanBeRead) {
  const agneto::testing::TemporaryFolder folder;
  fs::create_directories(folder.path() / ".agneto");
  write_file(folder.path() / ".agneto" / "config.yaml",
             "colour: blue\nproviders: {claude: {env: {API_KEY: still-known-1}}}\n");
  EXPECT_EQ(redactor_for(folder.path()).text("it says still-known-1"),
            "it says [redacted: API_KEY]");
}

}  // namespace
}  // namespace agneto::run
