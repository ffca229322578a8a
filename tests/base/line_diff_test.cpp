#include "base/line_diff.h"

#include <gmock/gmock.h>

namespace agneto {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LineDiff, EqualTextsHaveNone) {
  EXPECT_THAT(line_diff("a\nb\n", "a\nb\n"), IsEmpty());
}

TEST(LineDiff, KeepsWhatIsCommon) {
  EXPECT_THAT(line_diff("a\nb\nc\n", "a\nx\nc\nd\n"),
              ElementsAre("  a", "- b", "+ x", "  c", "+ d"));
  EXPECT_THAT(line_diff("", "a"), ElementsAre("+ a"));
  EXPECT_THAT(line_diff("a\n", ""), ElementsAre("- a"));
}

TEST(LineDiff, LeavesOutWhatIsFarFromAChange) {
  EXPECT_THAT(line_diff("1\n2\n3\n4\n5\n6\n7\n", "0\n2\n3\n4\n5\n6\n8\n", 1),
              ElementsAre("- 1", "+ 0", "  2", "  …", "  6", "- 7", "+ 8"));
}

TEST(LineDiff, SaysWhereOnlyEndsOfLinesDiffer) {
  EXPECT_THAT(line_diff("a\n", "a"), ElementsAre("  (only ends of lines differ)"));
}

TEST(LineDiff, TwoFloodsStandOneAfterTheOther) {
  std::string before, after;
  for (int i = 0; i < 3000; ++i) before += "a" + std::to_string(i) + "\n";
  for (int i = 0; i < 3000; ++i) after += "b" + std::to_string(i) + "\n";
  const auto lines = line_diff(before, after);
  ASSERT_EQ(lines.size(), 6000U);
  EXPECT_EQ(lines.front(), "- a0");
  EXPECT_EQ(lines.back(), "+ b2999");
}

TEST(UnifiedDiff, IsWhatPatchReads) {
  EXPECT_EQ(unified_diff("a.yaml", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n",
                         "1\n2\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\nII\n12\n"),
            R"(--- a.yaml
+++ a.yaml
@@ -1,5 +1,6 @@
 1
 2
+two
 3
 4
 5
@@ -8,5 +9,5 @@
 8
 9
 10
-11
+II
 12
)");
  EXPECT_EQ(unified_diff("a.yaml", "same\n", "same\n"), "");
}

TEST(UnifiedDiff, KeepsEndsOfLines) {
  EXPECT_EQ(unified_diff("a", "x\r\ny", "z\r\ny"),
            "--- a\n+++ a\n@@ -1,2 +1,2 @@\n-x\r\n+z\r\n y\n\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("a", "", "z\n"), "--- a\n+++ a\n@@ -0,0 +1 @@\n+z\n");
}

}  // namespace
}  // namespace agneto
