// When it is worth looking at what others have written.
#include "serve/lookout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace agneto::serve {
namespace {

using ::testing::ElementsAre;

// Time passes where somebody sleeps; what is to happen by then happens.
class SteppedClock : public Clock {
 public:
  Time now() const override { return Time(elapsed_); }
  Millis elapsed() const override { return elapsed_; }
  bool sleep(Millis duration, std::stop_token stop) override {
    Millis until = elapsed_ + duration;
    if (!later_.empty() && later_.front().first <= until) {
      elapsed_ = later_.front().first;
      const auto happens = std::move(later_.front().second);
      later_.pop_front();
      happens();
      if (stop.stop_requested()) return false;
    }
    elapsed_ = until;
    return true;
  }
  void at(Millis time, std::function<void()> happens) { later_.emplace_back(time, happens); }

 private:
  Millis elapsed_{10'000};
  std::deque<std::pair<Millis, std::function<void()>>> later_;
};

class LookoutTest : public ::testing::Test {
 protected:
  // When it is worth looking, from now on.
  std::vector<int> looks(int most) {
    std::vector<int> times;
    const Millis begun = clock_.elapsed();
    for (int i = 0; i < most && lookout_.wait(stop_.get_token()); ++i) {
      times.push_back(static_cast<int>((clock_.elapsed() - begun).count()));
    }
    return times;
  }

  SteppedClock clock_;
  std::stop_source stop_;
  bool is_at_work_ = false;
  int asked_ = 0;
  Lookout lookout_{{Millis(25), Millis(500)},
                   [this] {
                     ++asked_;
                     return is_at_work_;
                   },
                   clock_};
};

TEST_F(LookoutTest, HardlyEverWhereNobodyIsAtWork) {
  EXPECT_THAT(looks(3), ElementsAre(5000, 10'000, 15'000));
  EXPECT_EQ(asked_, 30);
}

TEST_F(LookoutTest, OftenWhileSomebodyIsAtWork) {
  is_at_work_ = true;
  EXPECT_EQ(looks(406).back(), 10'000);
  EXPECT_EQ(asked_, 6);  // each time as much later as it is looked often
}

TEST_F(LookoutTest, SeesSoonThatSomebodyIsAtWork) {
  clock_.at(clock_.elapsed() + Millis(700), [this] { is_at_work_ = true; });
  EXPECT_THAT(looks(2), ElementsAre(1000, 1025));
}

TEST_F(LookoutTest, AtOnceAfterNewsAndOftenForAMoment) {
  clock_.at(clock_.elapsed() + Millis(700), [this] { lookout_.hear(); });
  const auto times = looks(14);
  EXPECT_EQ(times.at(0), 700);
  EXPECT_EQ(times.at(1), 725);
  EXPECT_EQ(times.at(12), 1000);
  EXPECT_GE(times.at(13), 6000);
}

TEST_F(LookoutTest, EndsWhenItIsStopped) {
  clock_.at(clock_.elapsed() + Millis(100), [this] { stop_.request_stop(); });
  EXPECT_THAT(looks(2), ElementsAre());
  EXPECT_EQ(clock_.elapsed(), Millis(10'100));
}

}  // namespace
}  // namespace agneto::serve
