#include "lint/catalogue.h"

#include <gmock/gmock.h>

#include <set>

namespace agneto::lint {
namespace {

TEST(CatalogueTest, CodesAreOrderedAndUnique) {
  std::string_view last = "000";
  std::set<std::string_view> names;
  for (const Rule* rule : catalogue()) {
    ASSERT_THAT(std::string(rule->code), testing::MatchesRegex("[EW][1-6][0-9][0-9]"));
    EXPECT_LT(last, rule->code.substr(1)) << rule->id();
    last = rule->code.substr(1);
    EXPECT_TRUE(names.insert(rule->name).second) << rule->name;
    EXPECT_THAT(std::string(rule->name), testing::MatchesRegex("[a-z]+(-[a-z]+)*"));
    EXPECT_FALSE(rule->description.ends_with('.')) << rule->id();
    EXPECT_TRUE(rule->explanation.ends_with('.')) << rule->id();
  }
}

TEST(CatalogueTest, FindsByCodeNameAndBoth) {
  const Rule* rule = find_rule("E203");
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->id(), "E203/undefined-target");
  EXPECT_EQ(rule->severity(), Severity::error);
  EXPECT_EQ(find_rule("e203"), rule);
  EXPECT_EQ(find_rule(" undefined-target "), rule);
  EXPECT_EQ(find_rule("E203/undefined-target"), rule);
  EXPECT_EQ(find_rule("E2"), nullptr);
  EXPECT_EQ(find_rule(""), nullptr);
}

TEST(CatalogueTest, SuggestsWhatWasMeant) {
  EXPECT_EQ(rule_suggestion("undefined-tagret"), "did you mean E203/undefined-target?");
  EXPECT_EQ(rule_suggestion("W203"), "did you mean E203/undefined-target?");
  EXPECT_EQ(
      rule_suggestion("session"),
      "rules of that kind: E409/undefined-session, E410/outside-session, W447/one-call-session");
  EXPECT_EQ(rule_suggestion("undefined-a"), "rules of that kind: E402/undefined-agent");
  EXPECT_EQ(rule_suggestion("xyzzy"), "'agneto lint --list-rules' shows all of them");
}

}  // namespace
}  // namespace agneto::lint
