#include "agents/support.h"
#include "base/error.h"

namespace agneto::agents {
namespace {

class Provider : public ::testing::Test {
 protected:
  Provider() {
    for (const std::string name : {"claude", "codex", "opencode", "gemini", "tool"}) {
      files.add("/providers/" + name + ".lua",
                "return {program = '" + name + "', command = function() end}");
    }
    files.add("/providers/offline.lua", "return {command = function() end}");
    setenv("PATH", bin.path().c_str(), 1);
  }
  ~Provider() override { setenv("PATH", before.c_str(), 1); }

  void installed(const std::string& program) { write_script(bin / program, "#!/bin/sh\n"); }
  std::string resolve(const std::string& wanted) {
    return resolve_provider(wanted, files, {"/providers"});
  }
  // "what; help"
  std::string refusal(const std::string& wanted) {
    try {
      return "resolved: " + resolve(wanted);
    } catch (const Error& error) {
      return std::string(error.what()) + "; " + error.help();
    }
  }

  const std::string before = getenv("PATH");
  TemporaryFolder bin;
  MemoryFiles files;
};

TEST_F(Provider, AutoTakesTheFirstThatIsInstalled) {
  installed("gemini");
  EXPECT_EQ(resolve("auto"), "gemini");
  installed("opencode");
  EXPECT_EQ(resolve("auto"), "opencode");
  installed("codex");
  EXPECT_EQ(resolve("auto"), "codex");
  installed("claude");
  EXPECT_EQ(resolve("auto"), "claude");
}

TEST_F(Provider, AutoSaysWhatToInstall) {
  EXPECT_EQ(refusal("auto"),
            "there is no agent on PATH: looked for claude, codex, opencode, gemini; install one, "
            "for example Claude Code with 'npm install -g @anthropic-ai/claude-code' or Codex with "
            "'npm install -g @openai/codex'; './dev demo' shows a run without any");
}

TEST_F(Provider, ANamedOneMustBeInstalled) {
  installed("claude");
  EXPECT_EQ(resolve("claude"), "claude");
  EXPECT_EQ(refusal("codex"),
            "the provider 'codex' needs the program 'codex', which is not on PATH; install it with "
            "'npm install -g @openai/codex', or choose another provider with --agent");
  EXPECT_EQ(refusal("tool"),
            "the provider 'tool' needs the program 'tool', which is not on PATH; install 'tool', "
            "or choose another provider with --agent");
}

TEST_F(Provider, OneWithoutAProgramNeedsNothing) {
  EXPECT_EQ(resolve("offline"), "offline");
}

TEST_F(Provider, OneThatCannotWorkWithItsOptionsIsRefused) {
  files.add(
      "/providers/picky.lua",
      "return {command = pairs, check = function(o) if not o.key then error('no key', 0) end end}");
  EXPECT_EQ(refusal("picky"), "no key; do that, or choose another provider with --agent");
  EXPECT_EQ(resolve_provider("picky", files, {"/providers"}, {{"picky", {{"key", "k"}}}}), "picky");
}

TEST_F(Provider, AnUnknownOneIsRefused) {
  EXPECT_THROW(resolve("claud"), Error);
}

}  // namespace
}  // namespace agneto::agents
