#include "serve/rates.h"

#include <gtest/gtest.h>

namespace agneto::serve {
namespace {

class FakeClock : public Clock {
 public:
  Time now() const override { return Time(elapsed_); }
  Millis elapsed() const override { return elapsed_; }
  bool sleep(Millis, std::stop_token) override { return true; }
  void advance(Millis time) { elapsed_ += time; }

 private:
  Millis elapsed_{0};
};

TEST(Rates, SoOftenAtOnceAndThenSoOftenASecond) {
  FakeClock clock;
  Rates rates({.at_once = 3, .per_second = 2}, clock);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rates.take("ada"), std::nullopt);
  EXPECT_EQ(rates.take("ada"), Millis(500));
  EXPECT_EQ(rates.take("lea"), std::nullopt) << "each by themselves";
  clock.advance(Millis(400));
  EXPECT_EQ(rates.take("ada"), Millis(100));
  clock.advance(Millis(100));
  EXPECT_EQ(rates.take("ada"), std::nullopt);
  EXPECT_EQ(rates.take("ada"), Millis(500));
  clock.advance(Millis(3'600'000));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rates.take("ada"), std::nullopt);
  EXPECT_NE(rates.take("ada"), std::nullopt) << "what is not used is not saved up";
}

TEST(Rates, WhoHasLeastLeftIsRememberedThoughManyCome) {
  FakeClock clock;
  Rates rates({.at_once = 2, .per_second = 0.001}, clock);
  rates.take("ada");
  rates.take("ada");
  for (int i = 0; i < 10'500; ++i) EXPECT_EQ(rates.take(std::to_string(i)), std::nullopt);
  EXPECT_NE(rates.take("ada"), std::nullopt);
}

}  // namespace
}  // namespace agneto::serve
