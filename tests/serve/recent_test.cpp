#include "serve/recent.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "base/error.h"
#include "run/steer.h"

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
  std::string asked(const std::string& question) {
    return recent_.answer(question, [&] { return question + std::to_string(++made_); });
  }

  StillClock clock_;
  Recent recent_{clock_, Millis(1000), 50};
  int made_ = 0;
};

TEST_F(RecentTest, MakesAnAnswerOnceAsLongAsItIsGood) {
  EXPECT_EQ(asked("a"), "a1");
  clock_.time = Millis(999);
  EXPECT_EQ(asked("a"), "a1");
  EXPECT_EQ(asked("b"), "b2");
  clock_.time = Millis(1000);
  EXPECT_EQ(asked("a"), "a3") << "however often it was asked for";
}

// What costs twenty seconds and comes to nothing is not tried for each who asks.
TEST_F(RecentTest, AFailureIsAnAnswer) {
  int tries = 0;
  const auto fails = [&]() -> std::string {
    ++tries;
    throw Error("no", "try another");
  };
  EXPECT_THROW(recent_.answer("a", fails), Error);
  EXPECT_THROW(recent_.answer("a", fails), Error);
  EXPECT_EQ(tries, 1);
  clock_.time = Millis(1000);
  EXPECT_EQ(asked("a"), "a1");
}

TEST_F(RecentTest, ThatItIsNotThereYetIsNone) {
  EXPECT_THROW(recent_.answer("a", []() -> std::string { throw run::NotYet("busy", ""); }),
               run::NotYet);
  EXPECT_EQ(asked("a"), "a1");
}

TEST_F(RecentTest, WhoAsksForTheSameWaitsAndWhoAsksForAnotherDoesNot) {
  std::promise<void> begun, let_go;
  std::thread first([&] {
    recent_.answer("a", [&] {
      begun.set_value();
      let_go.get_future().wait();
      return std::string("slow");
    });
  });
  begun.get_future().wait();
  EXPECT_EQ(asked("b"), "b1");
  std::string second;
  std::thread waits([&] { second = asked("a"); });
  let_go.set_value();
  first.join();
  waits.join();
  EXPECT_EQ(second, "slow");
}

TEST_F(RecentTest, DoesNotGrowWithoutEnd) {
  for (int i = 0; i < 1000; ++i) {
    clock_.time += Millis(1);
    asked("question " + std::to_string(i));
  }
  EXPECT_EQ(asked("question 999"), "question 9991000");
  EXPECT_EQ(asked("question 0"), "question 01001");
}

}  // namespace
}  // namespace agneto::serve
