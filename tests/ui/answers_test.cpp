#include "ui/answers.h"

#include <gtest/gtest.h>

namespace agneto::ui {
namespace {

std::string text(const std::vector<Styled>& lines) {
  std::string all;
  for (const auto& line : lines) all += line.render(false) + "\n";
  return all;
}

TEST(AnswersTest, EachChoiceIsACommandWithWhatItNeeds) {
  EXPECT_EQ(text(answer_commands(
                "r-1",
                {{"YES", "Yes"}, {"EDITED", "Yes, edited", false, true}, {"NO", "No", true, false}},
                false, 80)),
            "    agneto resume r-1 --answer YES   # Yes\n"
            "    agneto resume r-1 --answer EDITED --edited FILE   # Yes, edited\n"
            "    agneto resume r-1 --answer NO --feedback \"…\"   # No\n");
  EXPECT_EQ(text(answer_commands("r-1", {}, true, 80)), "    agneto resume r-1 --feedback \"…\"\n");
}

TEST(AnswersTest, WhereALineIsTooNarrowTheLabelStandsAbove) {
  EXPECT_EQ(text(answer_commands("r-1", {{"YES", "Yes, carry it out"}, {"NO", "No"}}, false, 40)),
            "    # Yes, carry it out\n"
            "    agneto resume r-1 --answer YES\n"
            "    agneto resume r-1 --answer NO   # No\n");
}

TEST(AnswersTest, OfALiveRunAreGivenWithoutTakingItOver) {
  EXPECT_EQ(text(answer_commands("r-1", {{"YES", "Yes"}}, false, 80, true)),
            "    agneto answer r-1 YES   # Yes\n");
}

}  // namespace
}  // namespace agneto::ui
