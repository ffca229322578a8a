#include "ui/cassette_human.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace agneto::ui {
namespace {

run::Question question(const std::string& path) {
  run::Question question;
  question.ask.path = path;
  return question;
}

TEST(CassetteHumanTest, EachStateTakesItsOwnAnswersInOrder) {
  CassetteHuman human(Json::parse(R"([
    {"state": "GATE", "option": "NO", "feedback": "simpler"},
    {"state": "OTHER", "option": "MAYBE"},
    {"state": "GATE", "option": "YES", "edited": "the text"}])"));
  std::vector<run::Answer> given;
  auto take = [&](run::Answer answer) { given.push_back(std::move(answer)); };
  EXPECT_TRUE(human.present());
  human.ask(question("TASK#1/GATE#1"), take);
  human.ask(question("GATE#2"), take);
  human.ask(question("OTHER#1"), take);
  ASSERT_EQ(given.size(), 3U);
  EXPECT_EQ(given[0].option, "NO");
  EXPECT_EQ(given[0].feedback, "simpler");
  EXPECT_EQ(given[0].edited, std::nullopt);
  EXPECT_EQ(given[1].option, "YES");
  EXPECT_EQ(given[1].edited, "the text");
  EXPECT_EQ(given[2].option, "MAYBE");
  EXPECT_FALSE(human.present());
}

TEST(CassetteHumanTest, AQuestionWithoutAnAnswerSaysWhatToAdd) {
  CassetteHuman human(Json::parse(R"([{"state": "GATE", "option": "YES"}])"));
  try {
    human.ask(question("TASK#1/OTHER#2"), [](run::Answer) { FAIL() << "nobody answered"; });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the cassette has no answer for the question in OTHER");
    EXPECT_EQ(error.help(), "add {state: OTHER, option: …} to its answers, or use --interactive");
  }
}

TEST(CassetteHumanTest, CtrlCSuspends) {
  CassetteHuman human(Json::array());
  std::vector<run::Interrupt::Kind> chosen;
  human.interrupted([&](run::Interrupt interrupt) { chosen.push_back(interrupt.kind); });
  EXPECT_EQ(chosen, std::vector{run::Interrupt::Kind::suspend});
}

}  // namespace
}  // namespace agneto::ui
