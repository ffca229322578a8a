#include <gtest/gtest.h>

#include "ui/ways_to_answer.h"

namespace agneto::ui {
namespace {

using Keys = std::vector<std::string>;

chart::AskHuman question(const std::vector<std::pair<std::string, std::string>>& options) {
  chart::AskHuman ask;
  for (const auto& [name, label] : options) {
    ask.options.push_back({name, label, model::Need::none, std::nullopt});
  }
  return ask;
}

std::string chosen(const chart::AskHuman& ask, std::string_view typed) {
  const auto* option = chosen_option(ask, typed);
  return option ? option->name : "nothing";
}

TEST(OptionsTest, KeysAreInitialsOfWordsWhereTheyAreFree) {
  auto ask = question({{"APPROVED", "Yes, carry it out"},
                       {"EDITED", "Yes, after I have edited it"},
                       {"SIMPLIFY", "No, change it as I say"}});
  EXPECT_EQ(option_keys(ask), (Keys{"y", "a", "n"}));
}

TEST(OptionsTest, TheOneThatEditsHasTheKeyE) {
  auto ask = question({{"APPROVED", "Yes"}, {"EDITED", "Yes, edited"}, {"TITLED", "Only a title"}});
  ask.options[1].edit = "the plan";
  ask.options[2].edit = "the title";
  EXPECT_EQ(option_keys(ask), (Keys{"y", "e", "o"}));
}

TEST(OptionsTest, KeysAreLeftForViewDiffAndEdit) {
  EXPECT_EQ(option_keys(question({{"A", "Drop"}, {"B", "Ed"}, {"C", "Dev"}, {"D", "日本"}})),
            (Keys{"r", "2", "3", "4"}));
}

TEST(OptionsTest, MoreOptionsThanLetters) {
  std::vector<std::pair<std::string, std::string>> many;
  for (int i = 1; i <= 12; ++i) many.emplace_back("OPTION_" + std::to_string(i), "a");
  auto ask = question(many);
  EXPECT_EQ(option_keys(ask).back(), "12");
  EXPECT_EQ(chosen(ask, "12"), "OPTION_12");
}

TEST(OptionsTest, ChosenByKeyNumberOrName) {
  auto ask = question({{"APPROVED", "Yes"}, {"REJECTED", "No"}, {"approved", "Sure"}});
  EXPECT_EQ(chosen(ask, "y"), "APPROVED");
  EXPECT_EQ(chosen(ask, "N"), "REJECTED");
  EXPECT_EQ(chosen(ask, "2"), "REJECTED");
  EXPECT_EQ(chosen(ask, "rejected"), "REJECTED");
  EXPECT_EQ(chosen(ask, "approved"), "approved") << "the exact name comes first";
  EXPECT_EQ(chosen(ask, "Approved"), "APPROVED");
}

TEST(OptionsTest, AnythingElseIsNoAnswer) {
  auto ask = question({{"APPROVED", "Yes"}, {"REJECTED", "No"}});
  for (const char* typed : {"", "maybe", "yes", "0", "3", "APPROVED please", "yn"}) {
    EXPECT_EQ(chosen(ask, typed), "nothing") << typed;
  }
}

}  // namespace
}  // namespace agneto::ui
