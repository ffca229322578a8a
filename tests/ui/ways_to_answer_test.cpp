#include "ui/ways_to_answer.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace agneto::ui {
namespace {

record::Question offering(std::vector<record::Question::Option> options) {
  record::Question question;
  question.options = std::move(options);
  return question;
}

record::Question for_words() {
  record::Question question;
  question.words = true;
  return question;
}

std::string text(const std::vector<Styled>& lines) {
  std::string all;
  for (const auto& line : lines) all += line.render(false) + "\n";
  return all;
}

TEST(AnswersTest, EachChoiceIsACommandWithWhatItNeeds) {
  const auto choices = offering({{"YES", "Yes"},
                                 {"EDITED", "Yes, edited", model::Need::none, true},
                                 {"NO", "No", model::Need::required, false}});
  EXPECT_EQ(text(answer_commands({"r-1"}, choices, 80)),
            "    agneto resume r-1 --answer YES   # Yes\n"
            "    agneto resume r-1 --answer EDITED --edited FILE   # Yes, edited\n"
            "    agneto resume r-1 --answer NO --feedback \"…\"   # No\n");
  EXPECT_EQ(text(answer_commands({"r-1"}, for_words(), 80)),
            "    agneto resume r-1 --feedback \"…\"\n");
}

TEST(AnswersTest, WhereALineIsTooNarrowTheLabelStandsAbove) {
  EXPECT_EQ(
      text(answer_commands({"r-1"}, offering({{"YES", "Yes, carry it out"}, {"NO", "No"}}), 40)),
      "    # Yes, carry it out\n"
      "    agneto resume r-1 --answer YES\n"
      "    agneto resume r-1 --answer NO   # No\n");
}

TEST(AnswersTest, OfALiveRunAreGivenWithoutTakingItOver) {
  const Asking live{"r-1", "", true};
  EXPECT_EQ(text(answer_commands(live, offering({{"YES", "Yes"}}), 80)),
            "    agneto answer r-1 YES   # Yes\n");
  EXPECT_EQ(text(answer_commands(live, for_words(), 80)), "    agneto answer r-1 --text \"…\"\n");
}

TEST(AnswersTest, OfSeveralQuestionsSayWhichOne) {
  const Asking second{"r-1", "GATE#2", false};
  EXPECT_EQ(text(answer_commands(second, offering({{"NO", "No", model::Need::required}}), 80)),
            "    agneto answer r-1 GATE#2 NO --feedback \"…\"   # No\n");
  EXPECT_EQ(text(answer_commands(second, for_words(), 80)),
            "    agneto answer r-1 GATE#2 --text \"…\"\n");
  EXPECT_EQ(answer_command({"r-1", "PANEL#1[2]/GATE#1", true}),
            "agneto answer r-1 'PANEL#1[2]/GATE#1'");
}

TEST(FindQuestion, ByIdTheEndOfItOrItsState) {
  std::vector<chart::AskHuman> open(3);
  open[0].path = "TASK#1/GATE#1";
  open[1].path = "TASK#1/GATE#2";
  open[2].path = "WORDS#1";
  EXPECT_EQ(find_question("r", open, "TASK#1/GATE#1").path, "TASK#1/GATE#1");
  EXPECT_EQ(find_question("r", open, "GATE#2").path, "TASK#1/GATE#2");
  EXPECT_EQ(find_question("r", open, "WORDS").path, "WORDS#1");
  EXPECT_EQ(find_question("r", open, "TASK/GATE #2").path, "TASK#1/GATE#2");
  EXPECT_EQ(find_question("r", {open[0]}, "").path, "TASK#1/GATE#1");
  const auto refusal = [&](const std::vector<chart::AskHuman>& questions, const std::string& q) {
    try {
      find_question("r", questions, q);
    } catch (const Error& error) {
      return std::string(error.what()) + "; " + error.help();
    }
    return std::string("found");
  };
  EXPECT_EQ(refusal(open, ""),
            "run r has 3 open questions; name one of TASK#1/GATE#1, TASK#1/GATE#2, WORDS#1");
  EXPECT_EQ(refusal(open, "GATE"),
            "run r has 2 open questions 'GATE'; name one of TASK#1/GATE#1, TASK#1/GATE#2, WORDS#1");
  EXPECT_EQ(refusal({open[2]}, "GATE"),
            "run r has no open question 'GATE'; its open question is WORDS#1");
  EXPECT_EQ(refusal({}, ""), "run r has no open question to answer; ");
}

}  // namespace
}  // namespace agneto::ui
