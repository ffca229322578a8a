#include "model/suggestions.h"

#include <gtest/gtest.h>

#include <vector>

namespace agneto::model {
namespace {

TEST(SuggestionsTest, GivesUpWhereTheyWouldCostTheSquareOfAFile) {
  std::vector<std::string> many(1'000'000);
  many.front() = "PLANNING";
  const auto names = [&]() -> const auto& {
    return many;
  };
  Suggestions suggestions;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(suggestions.find("PLANING", "states", names), "did you mean 'PLANNING'?");
  }
  EXPECT_EQ(suggestions.find("PLANING", "states", names), "");
}

}  // namespace
}  // namespace agneto::model
