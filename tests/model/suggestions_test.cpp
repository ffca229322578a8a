#include <gtest/gtest.h>

#include <vector>

#include "model/binder.h"

namespace agneto::model {
namespace {

TEST(SuggestionsTest, GivesUpWhereTheyWouldCostTheSquareOfAFile) {
  std::vector<std::string> many(1'000'000);
  many.front() = "PLANNING";
  const auto names = [&]() -> const auto& {
    return many;
  };
  Suggestions suggestions;
  const auto help = [&] {
    Diagnostic finding;
    suggestions.give(finding, "PLANING", "states", names);
    return finding.help;
  };
  for (int i = 0; i < 5; ++i) EXPECT_EQ(help(), "did you mean 'PLANNING'?");
  EXPECT_EQ(help(), "");
}

}  // namespace
}  // namespace agneto::model
