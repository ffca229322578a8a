#include "ui/material.h"

#include <gtest/gtest.h>

namespace agneto::ui {
namespace {

std::string shown(std::string_view material, std::size_t width = 60, std::size_t height = 40) {
  std::string text;
  for (const auto& line : summarise(material, width, height)) text += line.render(false) + "\n";
  return text;
}

constexpr const char* diff =
    "diff --git a/src/main.c b/src/main.c\n"
    "index 1..2 100644\n"
    "--- a/src/main.c\n"
    "+++ b/src/main.c\n"
    "@@ -1,3 +1,3 @@\n"
    " int main() {\n"
    "-  return 1;\n"
    "+  return 0;\n"
    "+++ counted, it is in the hunk\n"
    " }\n"
    "diff --git a/new.txt b/new.txt\n"
    "new file mode 100644\n"
    "--- /dev/null\n"
    "+++ b/new.txt\n"
    "@@ -0,0 +1 @@\n"
    "+hello\n"
    "diff --git a/old b/name with b/old\n"
    "rename from old\n"
    "rename to name with b/old\n"
    "diff --git \"a/\\303\\251\" \"b/\\303\\251\"\n"
    "deleted file mode 100644\n"
    "diff --git a/x.png b/x.png\n"
    "Binary files a/x.png and b/x.png differ\n";

TEST(MaterialTest, APlanKeepsItsShape) {
  EXPECT_EQ(shown("\n# Plan: --shout\n\n"
                  "1. Look at the first argument; refuse an unknown option with status 2.\n"
                  "   - and test it, with and without a name, on every shell there is\n"
                  "#!/bin/sh is no heading\n\n"
                  "```sh\n# a comment, no heading\n\techo hi\n```\n"
                  "The end.\n\n"),
            "  Plan: --shout\n"
            "\n"
            "  1. Look at the first argument; refuse an unknown option\n"
            "     with status 2.\n"
            "     - and test it, with and without a name, on every shell\n"
            "       there is\n"
            "  #!/bin/sh is no heading\n"
            "\n"
            "  │ # a comment, no heading\n"
            "  │     echo hi\n"
            "  The end.\n");
}

TEST(MaterialTest, HeadingsAndCodeAreColoured) {
  const auto lines = summarise("## Title\n```\nx\n```", 60, 10);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].render(true), "  \x1b[1mTitle\x1b[0m");
  EXPECT_EQ(lines[1].render(true), "  \x1b[2m│ \x1b[0m\x1b[36mx\x1b[0m");
}

TEST(MaterialTest, ALongerFenceHoldsAShorterOne) {
  EXPECT_EQ(shown("````md\n```\n# in\n```\n````\n# out"), "  │ ```\n  │ # in\n  │ ```\n  out\n");
}

TEST(MaterialTest, ADiffIsALinePerFile) {
  EXPECT_EQ(shown(diff),
            "  src/main.c       +2 -1\n"
            "  new.txt          +1 -0  (new)\n"
            "  name with b/old  +0 -0  (was old)\n"
            "  \\303\\251         +0 -0  (deleted)\n"
            "  x.png            +0 -0  (binary)\n"
            "  5 files  +3 -1\n");
}

TEST(MaterialTest, TextAroundADiffIsShown) {
  EXPECT_EQ(shown("Please look:\n\n```diff\n"
                  "diff --git a/a b/a\n@@ -1 +1 @@\n-x\n+y\n"
                  "```\nIs it good?"),
            "  Please look:\n\n  a  +1 -1\n  Is it good?\n");
}

TEST(MaterialTest, MoreThanFitsIsCutAndCounted) {
  EXPECT_EQ(shown("1\n2\n3", 60, 3), "  1\n  2\n  3\n");
  EXPECT_EQ(shown("1\n2\n3\n4", 60, 3), "  1\n  2\n  … 2 more lines\n");
}

TEST(MaterialTest, ControlCharactersAreDropped) {
  EXPECT_EQ(shown("a\x1b[2J\x07"
                  "b\r\n\x1b]0;x\x1b\\c"),
            "  ab\n  c\n");
  EXPECT_EQ(shown(" \n\n"), "");
}

TEST(MaterialTest, AWholeDiffIsColoured) {
  EXPECT_EQ(coloured_diff("diff --git a/a b/a\n--- a/a\n@@ -1 +1 @@\n-x\n+y\n z\n").render(true),
            "\x1b[1mdiff --git a/a b/a\x1b[0m\n\x1b[1m--- a/a\x1b[0m\n"
            "\x1b[36m@@ -1 +1 @@\x1b[0m\n\x1b[31m-x\x1b[0m\n\x1b[32m+y\x1b[0m\n z\n");
}

}  // namespace
}  // namespace agneto::ui
