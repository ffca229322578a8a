#include "ui/open_question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agneto::ui {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr std::size_t width = 80;

std::string text(const QuestionLines& lines) {
  std::string all;
  for (const auto& line : lines) all += line.text.render(false) + "\n";
  return all;
}

class OpenQuestionTest : public ::testing::Test {
 protected:
  OpenQuestionTest() {
    setenv("TZ", "UTC", 1);
    tzset();
    ask.path = "TASK#1/GATE#2";
    ask.question = "Carry out this plan?";
    ask.show = "# Plan\n\n1. Shout.";
    ask.options = {{"YES", "Yes", model::Need::none, {}},
                   {"NO", "No, change it", model::Need::required, {}}};
    around.deadlines = {{now + std::chrono::minutes(10), Millis(600'000), {"LATER"}, true}};
    around.events = {"stop"};
  }
  record::Question question() const { return record::question_of(ask, around); }

  const Time now = Time(std::chrono::hours(9));
  const record::Spent spent{2, {.cost = 0.5}};
  chart::AskHuman ask;
  record::Surroundings around;
};

TEST_F(OpenQuestionTest, InALogItIsOneLine) {
  EXPECT_EQ(question_in_log(question(), now).render(false),
            "❓ Carry out this plan? · perhaps until 09:10:00, then → LATER");
}

TEST_F(OpenQuestionTest, WhereARunStopsItIsWhatThereIsToJudgeAndHowToAnswer) {
  EXPECT_EQ(text(question_at_stop(question(), spent, {"r-1"}, now, width)),
            "  Plan\n"
            "\n"
            "  1. Shout.\n"
            "\n"
            "  Carry out this plan?\n"
            "  in 10m (09:10:00) it may be taken away: → LATER\n"
            "  events that are taken here: stop (agneto send r-1 EVENT)\n"
            "  so far: 2 agent calls · $0.50\n"
            "    agneto resume r-1 --answer YES   # Yes\n"
            "    agneto resume r-1 --answer NO --feedback \"…\"   # No, change it\n");
}

TEST_F(OpenQuestionTest, AtATerminalItsOptionsHaveKeys) {
  const run::Question asked{ask, "", around, spent};
  EXPECT_EQ(text(question_at_terminal(asked, now, width, 24)),
            "\n"
            "── TASK/GATE #2 ──\n"
            "  Plan\n"
            "\n"
            "  1. Shout.\n"
            "\n"
            "👤 Carry out this plan?\n"
            "  in 10m (09:10:00) it may be taken away: → LATER\n"
            "  events that are taken here: stop (agneto send RUN EVENT)\n"
            "  so far: 2 agent calls · $0.50\n");
  EXPECT_EQ(text(options_at_terminal(asked)),
            "  [y]  Yes            YES\n"
            "  [n]  No, change it  NO\n"
            "  [v]  View all of it\n");
}

TEST_F(OpenQuestionTest, WhatHasNothingToSayIsLeftOut) {
  ask.show.clear();
  EXPECT_EQ(
      text(question_at_stop(record::question_of(ask), {}, {"r-1", "GATE#2", true}, now, width)),
      "  Carry out this plan?\n"
      "    agneto answer r-1 GATE#2 YES   # Yes\n"
      "    agneto answer r-1 GATE#2 NO --feedback \"…\"   # No, change it\n");
  EXPECT_EQ(text(question_at_terminal({ask}, now, width, 24)),
            "\n"
            "── TASK/GATE #2 ──\n"
            "👤 Carry out this plan?\n");
}

TEST_F(OpenQuestionTest, ByShowItIsFactsWithAllOfTheMaterialBelow) {
  const ShownQuestion shown = question_in_show(question(), {"r-1"}, {}, now, width);
  EXPECT_THAT(shown.facts,
              ElementsAre(Pair("question", "Carry out this plan?"), Pair("  id", "TASK#1/GATE#2"),
                          Pair("  time", "in 10m (09:10:00) it may be taken away: → LATER"),
                          Pair("  events", "stop (agneto send r-1 EVENT)")));
  std::string below;
  for (const auto& line : shown.lines) below += line.render(false) + "\n";
  EXPECT_EQ(below,
            "\n"
            "  Plan\n"
            "\n"
            "  1. Shout.\n"
            "\n"
            "    agneto resume r-1 --answer YES   # Yes\n"
            "    agneto resume r-1 --answer NO --feedback \"…\"   # No, change it\n");
}

TEST_F(OpenQuestionTest, ByShowAnAnswerThatNobodyHasTakenYetIsAllThereIsToKnow) {
  run::WaitingAnswer given;
  given.answer.option = "YES";
  given.answer.by = "anna";
  given.posted = now;
  const ShownQuestion shown = question_in_show(question(), {"r-1"}, given, now, width);
  EXPECT_THAT(shown.facts,
              ElementsAre(Pair("question", "Carry out this plan?"), Pair("  id", "TASK#1/GATE#2"),
                          Pair("  answer", "YES by anna at 1970-01-01 09:00:00"),
                          Pair("  go on", "agneto resume r-1")));
  EXPECT_TRUE(shown.lines.empty());
}

}  // namespace
}  // namespace agneto::ui
