#include "agents/same_prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/hooks.h"
#include "support/paths.h"

namespace agneto::agents {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SamePrompt, WhatDiffersFromRunToRunIsNotInIt) {
  const std::string commit(40, 'a');
  const Redactor redactor(std::map<std::string, std::string>{{"hunter-2222", "PASSWORD"}});
  EXPECT_EQ(
      portable_prompt("In /src/it/.agneto/worktrees/greet-3f2a, branch agneto/greet-3f2a at " +
                          commit + ", log in with hunter-2222.",
                      redactor, "greet-3f2a", "/src/it/.agneto/worktrees/greet-3f2a"),
      "In {agneto.repository}/.agneto/worktrees/{agneto.run}, branch agneto/{agneto.run} at "
      "{agneto.commit}, log in with "
      "[redacted: PASSWORD].");
}

TEST(SamePrompt, WhatWasSaidInOneRunIsPutForAnother) {
  const std::string said = portable_text("I wrote /src/it/.agneto/worktrees/greet-3f2a/greet.",
                                         "greet-3f2a", "/src/it/.agneto/worktrees/greet-3f2a");
  EXPECT_EQ(said, "I wrote {agneto.repository}/.agneto/worktrees/{agneto.run}/greet.");
  EXPECT_EQ(text_in_run(said, "greet-91d0", "/tmp/that/.agneto/worktrees/greet-91d0"),
            "I wrote /tmp/that/.agneto/worktrees/greet-91d0/greet.");
}

TEST(SamePrompt, OtherWordsStay) {
  const std::string text = "index 3f2ab1c..aaaaaaa, " + std::string(41, 'a') + ", " +
                           std::string(40, 'A') + ", /elsewhere";
  EXPECT_EQ(portable_prompt(text, Redactor(), "r-1", "/src/it"), text);
  EXPECT_EQ(portable_prompt("a/b", Redactor(), "", "/"), "a/b");
}

// As scripts/lib/agneto.lua writes them.
TEST(SamePrompt, HowAProviderIsAskedForAVerdictIsNotCompared) {
  MemoryFiles files;
  const std::filesystem::path library = "scripts/lib/agneto.lua";
  files.add("/lib/agneto.lua",
            Disk().read(std::filesystem::path(AGNETO_SOURCE_DIR) / library).value());
  script::Hooks hooks(files, {{"/"}, "/lib"});
  const auto prompt = [&](const std::string& verdict, const std::string& way) {
    const Json verdicts = {{{"name", "OK"}, {"fields", Json::array()}},
                           {{"name", verdict}, {"fields", Json::array()}}};
    return "Do it.\n\n" + hooks.verdict_format(verdicts, way);
  };
  EXPECT_EQ(with_verdicts_alone(prompt("BAD", "By lamp.")),
            "Do it.\n\n## How to end your reply\n\nThe verdict is one of:\n\n- `OK`\n- `BAD`\n");
  EXPECT_THAT(prompt_difference(prompt("BAD", "By lamp."), prompt("BAD", "")), IsEmpty());
  EXPECT_THAT(prompt_difference(prompt("BAD", "By lamp."), prompt("GOOD", "")),
              ElementsAre("  …", "  - `OK`", "- - `BAD`", "+ - `GOOD`"));
  for (const std::string cut :
       {"## How to end your reply\n\n", "## How to end your reply\n\nThe verdict is", "Do it.\n"}) {
    EXPECT_EQ(with_verdicts_alone(cut), cut);
  }
}

TEST(SamePrompt, WhatDiffersIsShownByLine) {
  EXPECT_THAT(prompt_difference("a\nb\n", "a\nb\n"), IsEmpty());
  EXPECT_THAT(prompt_difference("a\nb\nc\n", "a\nB\nc\n"), ElementsAre("  a", "- b", "+ B", "  c"));
}

TEST(SamePrompt, OfAnotherPromptOnlyTheBeginningIsShown) {
  std::string before, after;
  for (int i = 0; i < 50; ++i) {
    before += "old " + std::to_string(i) + "\n";
    after += "new " + std::to_string(i) + "\n";
  }
  const auto lines = prompt_difference(before, after);
  ASSERT_EQ(lines.size(), 41u);
  EXPECT_EQ(lines.back(), "  … and 60 more lines");
}

}  // namespace
}  // namespace agneto::agents
