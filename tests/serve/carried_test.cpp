#include "serve/carried.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/errors.h"

namespace agneto::serve {
namespace {

using testing::error_of;

int add(Carried<int>& carried, const std::string& key, int more) {
  return carried.look(key, [&](int& made) { return made += more; });
}

TEST(CarriedTest, GoesOnFromWhatWasMade) {
  Carried<int> carried(2);
  EXPECT_EQ(add(carried, "a", 1), 1);
  EXPECT_EQ(add(carried, "a", 2), 3);
  EXPECT_EQ(add(carried, "b", 5), 5);
}

TEST(CarriedTest, KeepsThoseThatWereAskedForLast) {
  Carried<int> carried(2);
  add(carried, "a", 1);
  add(carried, "b", 1);
  add(carried, "a", 1);
  add(carried, "c", 1);
  EXPECT_EQ(add(carried, "a", 1), 3);
  EXPECT_EQ(add(carried, "b", 1), 1) << "it has gone for the third";
}

TEST(CarriedTest, IsNotWaitedForLongerThanPatienceLasts) {
  Carried<int> carried(2, Millis{0});
  const auto ask_meanwhile = [&](int& /*unused*/) {
    EXPECT_EQ(add(carried, "b", 5), 5);
    return error_of([&] { add(carried, "a", 1); });
  };
  EXPECT_EQ(carried.look("a", ask_meanwhile),
            "this server is making what others have asked for\nask again in a moment");
}

TEST(CarriedTest, BeginsAnewWhereSomethingWentWrong) {
  Carried<int> carried(2);
  add(carried, "a", 7);
  const auto fail = [&](int& made) -> int {
    made += 1;
    throw std::runtime_error("the entry is damaged");
  };
  EXPECT_THROW(carried.look("a", fail), std::runtime_error);
  EXPECT_EQ(add(carried, "a", 2), 2);
}

}  // namespace
}  // namespace agneto::serve
