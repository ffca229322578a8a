#include "chart/answer.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace agneto::chart {
namespace {

using model::Need;

// Why it is refused; empty where it is an answer.
std::string refused(const AskHuman& question, const Answer& answer) {
  const auto why = refusal(question, answer, {"--text WORDS", "--feedback WORDS", "--edited FILE"});
  return why ? why->problem + "; " + why->help : "";
}

AskHuman choice() {
  AskHuman question;
  question.options = {{"YES", "Yes", Need::none, {}},
                      {"NO", "No", Need::required, {}},
                      {"MAYBE", "Maybe", Need::optional, {}},
                      {"EDITED", "Edit it", Need::none, "the plan"}};
  return question;
}

AskHuman for_words(Need need) {
  AskHuman question;
  question.text = need;
  return question;
}

TEST(Answer, IsOneOfTheOptionsWithWhatGoesWithIt) {
  const AskHuman question = choice();
  EXPECT_EQ(refused(question, {"YES", "", {}}), "");
  EXPECT_EQ(refused(question, {"NO", "not yet", {}}), "");
  EXPECT_EQ(refused(question, {"MAYBE", "", {}}), "");
  EXPECT_EQ(refused(question, {"MAYBE", "why not", {}}), "");
  EXPECT_EQ(refused(question, {"EDITED", "", "another plan"}), "");
  EXPECT_EQ(refused(question, {"EDITED", "", {}}), "");
  EXPECT_EQ(refused(question, {"", "words", {}}),
            "it has options; choose one of YES, NO, MAYBE, EDITED");
  EXPECT_EQ(refused(question, {"yes", "", {}}),
            "'yes' is not offered; choose one of YES, NO, MAYBE, EDITED");
  EXPECT_EQ(refused(question, {"NO", " ", {}}), "NO needs words; give them with --feedback WORDS");
  EXPECT_EQ(refused(question, {"YES", "words", {}}), "YES takes no words; leave out --feedback");
  EXPECT_EQ(refused(question, {"YES", "", "text"}), "YES edits nothing; leave out --edited");
  for (const char* text : {"the plan", " \n"}) {
    EXPECT_EQ(refused(question, {"EDITED", "", text}),
              "EDITED is for an edited text, and nothing was edited; edit it, or choose another "
              "option");
  }
}

TEST(Answer, IsWordsWhereTheseAreAskedFor) {
  EXPECT_EQ(refused(for_words(Need::optional), {"", "", {}}), "");
  EXPECT_EQ(refused(for_words(Need::required), {"", "words", {}}), "");
  EXPECT_EQ(refused(for_words(Need::required), {"", " ", {}}),
            "it asks for words, and there are none; give them with --text WORDS");
  EXPECT_EQ(refused(for_words(Need::optional), {"YES", "", {}}),
            "it asks for words, not for an option; give them with --text WORDS");
  EXPECT_EQ(refused(for_words(Need::optional), {"", "words", "text"}),
            "it asks for words; leave out --edited");
}

TEST(Answer, IsAnEventWithData) {
  const AskHuman question = choice();
  const Answer no{"NO", "not yet", {}}, words{"", "hello", {}};
  EXPECT_EQ(outcome_of(question, no), "NO");
  EXPECT_EQ(data_of(question, no, "person"), (Json{{"feedback", "not yet"}, {"by", "person"}}));
  EXPECT_EQ(data_of(question, {"EDITED", "", "mine"}, "person"),
            (Json{{"feedback", ""}, {"by", "person"}, {"edited", "mine"}}));
  EXPECT_EQ(data_of(question, {"EDITED", "", {}}, "default"),
            (Json{{"feedback", ""}, {"by", "default"}, {"edited", "the plan"}}));
  EXPECT_EQ(outcome_of(for_words(Need::optional), words), "answered");
  EXPECT_EQ(data_of(for_words(Need::optional), words, "person"),
            (Json{{"feedback", "hello"}, {"by", "person"}, {"text", "hello"}}));
}

}  // namespace
}  // namespace agneto::chart
