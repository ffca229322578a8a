#include "serve/recent.h"

#include <gtest/gtest.h>

namespace agneto::serve {
namespace {

class StillClock : public Clock {
 public:
  Time now() const override { return Time(time); }
  Millis elapsed() const override { return time; }
  bool sleep(Millis, std::stop_token) override { return false; }
  Millis time{0};
};

class RecentTest : public ::testing::Test {
 protected:
  std::string asked(const std::string& question, std::int64_t change) {
    return recent_.answer(question, change, [&] { return question + std::to_string(++made_); });
  }

  StillClock clock_;
  Recent recent_{clock_};
  int made_ = 0;
};

TEST_F(RecentTest, MakesAnAnswerOnceAsLongAsNothingHasChanged) {
  EXPECT_EQ(asked("a", 1), "a1");
  EXPECT_EQ(asked("a", 1), "a1");
  EXPECT_EQ(asked("b", 1), "b2");
  EXPECT_EQ(asked("a", 2), "a3");
  EXPECT_EQ(asked("a", 2), "a3");
}

// What depends on the time, or on who works on a run, is in no journal.
TEST_F(RecentTest, MakesItAgainAfterASecond) {
  EXPECT_EQ(asked("a", 1), "a1");
  clock_.time = Millis(999);
  EXPECT_EQ(asked("a", 1), "a1");
  clock_.time = Millis(1000);
  EXPECT_EQ(asked("a", 1), "a2");
}

TEST_F(RecentTest, KeepsNothingOfAnAnswerThatFailed) {
  EXPECT_THROW(recent_.answer("a", 1, []() -> std::string { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(asked("a", 1), "a1");
}

TEST_F(RecentTest, DoesNotGrowWithoutEnd) {
  for (int i = 0; i < 1000; ++i) asked("question " + std::to_string(i), 1);
  EXPECT_EQ(asked("question 999", 1), "question 9991000");
  EXPECT_EQ(asked("question 0", 1), "question 01001");
}

}  // namespace
}  // namespace agneto::serve
