#include "run/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/errors.h"

namespace agneto::run {
namespace {

using agneto::testing::error_of;
using ::testing::ElementsAre;

struct Read {
  Config config;
  std::string findings;
};

Read read(const std::string& text) {
  MemoryFiles files;
  files.add(".agneto/config.yaml", text);
  Diagnostics diagnostics;
  std::vector<SourcePtr> sources;
  Read result;
  result.config = load_config(".agneto/config.yaml", files, diagnostics, sources);
  result.findings = render(diagnostics);
  return result;
}

TEST(Config, AnAbsentFileIsAnEmptyConfiguration) {
  Diagnostics diagnostics;
  std::vector<SourcePtr> sources;
  Config config = load_config("nowhere", MemoryFiles(), diagnostics, sources);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(config.all.provider, "");
}

TEST(Config, NothingButCommentsIsAnEmptyConfiguration) {
  for (const char* text : {"", "\n \n", "# provider: claude\n", "\n  # a\r\n#b"}) {
    const Read found = read(text);
    EXPECT_EQ(found.findings, "") << text;
    EXPECT_EQ(found.config.all.provider, "");
  }
}

TEST(Config, PatienceIsAnHourUnlessItSaysOtherwise) {
  EXPECT_EQ(read("").config.patience, std::chrono::hours(1));
  EXPECT_EQ(read("patience: 0s\n").config.patience, Millis(0));
  EXPECT_EQ(read("patience: soon\n").findings,
            ".agneto/config.yaml:1:11: error: 'patience' must be a duration such as 90s, 20m or 4h "
            "[E302/wrong-type]\npatience: soon\n          ^~~~\n");
}

TEST(Config, AnAgentsOwnSettingsComeBeforeEverybodys) {
  Config config = read(R"(provider: claude
model: opus
instructions: Use tabs.
agents:
  coder: {model: sonnet, instructions: Write tests.}
  reviewer: {provider: codex}
)")
                      .config;
  EXPECT_EQ(config.of("planner").model, "opus");
  EXPECT_EQ(config.of("coder").provider, "claude");
  EXPECT_EQ(config.of("coder").model, "sonnet");
  EXPECT_EQ(config.of("coder").instructions, "Use tabs.\n\nWrite tests.");
  EXPECT_EQ(config.of("reviewer").provider, "codex");
  EXPECT_EQ(config.of("reviewer").model, "") << "claude's model is not codex's";
}

TEST(Config, WorkspaceLimitsAndProvidersOptions) {
  Config config = read(R"(providers:
  command: {argv: [my-agent, --fast]}
workspace:
  setup: npm ci
  copy: [.env]
  verify: npm test
limits: {calls: 50, cost: 2.5, tokens: 5000000000, time: 4h}
)")
                      .config;
  EXPECT_EQ(config.options_of("command"), (Json{{"argv", {"my-agent", "--fast"}}}));
  EXPECT_EQ(config.options_of("claude"), Json::object());
  EXPECT_EQ(config.setup, "npm ci");
  EXPECT_THAT(config.copy, ElementsAre(".env"));
  EXPECT_EQ(config.verify, "npm test");
  EXPECT_EQ(config.limits.calls, 50);
  EXPECT_EQ(config.limits.cost, 2.5);
  EXPECT_EQ(config.limits.tokens, 5'000'000'000);
  EXPECT_EQ(config.limits.time, std::chrono::hours(4));
}

TEST(Config, EveryMistakeIsReportedWithItsPlace) {
  EXPECT_EQ(
      read(R"(provder: claude
limits: {calls: many, time: 4 hours}
agents:
  coder: fast
)")
          .findings,
      R"(.agneto/config.yaml:1:1: error: unknown key 'provder' in config.yaml [E121/unknown-key]
provder: claude
^~~~~~~
  help: did you mean 'provider'?
.agneto/config.yaml:2:17: error: 'calls' must be a number above 0 [E302/wrong-type]
limits: {calls: many, time: 4 hours}
                ^~~~
.agneto/config.yaml:2:29: error: 'time' must be a duration such as 90s, 20m or 4h [E302/wrong-type]
limits: {calls: many, time: 4 hours}
                            ^~~~~~~
.agneto/config.yaml:4:10: error: 'agents.coder' must be a map [E302/wrong-type]
  coder: fast
         ^~~~
)");
}

}  // namespace
}  // namespace agneto::run
