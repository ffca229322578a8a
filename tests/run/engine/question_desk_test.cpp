#include "run/engine/question_desk.h"

#include <gmock/gmock.h>

#include "run/fakes.h"
#include "run/questions.h"
#include "support/errors.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;

class QuestionDeskTest : public ::testing::Test {
 protected:
  static chart::AskHuman question(const std::string& path, const std::string& by_default = "") {
    chart::AskHuman ask;
    ask.path = path;
    ask.question = "Merge?";
    ask.options = {{"YES", "Merge", model::Need::none, {}}, {"NO", "Stop", model::Need::none, {}}};
    ask.default_option = by_default;
    return ask;
  }
  void put_all() {
    while (desk.has_new()) desk.put_next();
  }

  FakeJournal journal;
  Listening seen;
  TestClock clock;
  ScriptedHuman human;
  Reporter reporter{"r", journal, seen, clock, Time()};
  std::vector<std::string> given;
  QuestionDesk desk{human, reporter,
                    [](const chart::AskHuman& ask) {
                      return Question{ask, "diff of " + ask.path, {}, {2, {}}};
                    },
                    [this](const std::string& path, const Answer& answer) {
                      given.push_back(path + " " + answer.option);
                    }};
};

TEST_F(QuestionDeskTest, APersonGetsTheQuestionsInTheirOrderWithWhatTheyAreAbout) {
  human.answers = {{"YES", "", {}}};
  desk.open(question("B#1"));
  desk.open(question("A#1"));
  put_all();
  ASSERT_EQ(human.asked.size(), 2u);
  EXPECT_EQ(human.asked[0].ask.path, "B#1");
  EXPECT_EQ(human.asked[0].diff, "diff of B#1");
  EXPECT_THAT(given, ElementsAre("B#1 YES"));
  ASSERT_EQ(seen.of("question.asked").size(), 2u);
  EXPECT_EQ(seen.of("question.asked")[0].data.at("calls"), 2);
  EXPECT_TRUE(desk.is_asking());
}

TEST_F(QuestionDeskTest, WhereNobodyIsThereADefaultIsTheAnswerAndTheRestIsLeftForLater) {
  human.there = false;
  for (const char* path : {"C#1", "B#1"}) desk.open(question(path));
  desk.open(question("A#1", "NO"));
  EXPECT_EQ(desk.put_next(), nullptr);
  EXPECT_EQ(desk.put_next(), nullptr);
  const chart::AskHuman* with_default = desk.put_next();
  ASSERT_NE(with_default, nullptr);
  EXPECT_EQ(with_default->path, "A#1");
  desk.close("A#1");
  EXPECT_FALSE(desk.has_new());
  EXPECT_FALSE(desk.is_asking());
  ASSERT_EQ(desk.unanswerable().size(), 2u);
  EXPECT_EQ(desk.unanswerable().front()->path, "B#1");
}

TEST_F(QuestionDeskTest, APersonIsToldWhyAQuestionIsTakenBack) {
  for (const char* path : {"A#1", "B#1", "C#1"}) desk.open(question(path));
  put_all();
  desk.withdraw("A#1", "answered elsewhere: YES");
  desk.close("B#1");
  desk.withdraw_all();
  EXPECT_THAT(human.withdrawn, ElementsAre("A#1: answered elsewhere: YES",
                                           "C#1: the run stops here; the question stays open"));
  EXPECT_EQ(desk.find("A#1"), nullptr);
  EXPECT_NE(desk.find("C#1"), nullptr) << "it stays open";
}

TEST_F(QuestionDeskTest, AnAnswerWithoutAQuestionsNameIsForTheOnlyOne) {
  EXPECT_EQ(agneto::testing::error_of([&] { desk.only_one("r"); }),
            "run r has no open question to answer\ncontinue it with 'agneto resume r'");
  desk.open(question("A#1"));
  EXPECT_EQ(desk.only_one("r").path, "A#1");
  desk.open(question("B#1"));
  EXPECT_EQ(agneto::testing::error_of([&] { desk.only_one("r"); }),
            "run r has 2 open questions\nsay which: agneto answer r QUESTION OPTION --resume, "
            "where QUESTION is one of A#1, B#1");
}

}  // namespace
}  // namespace agneto::run
