#include "run/engine/meter.h"

#include <gtest/gtest.h>

namespace agneto::run {
namespace {

constexpr Millis hour{3'600'000};

class MeterTest : public ::testing::Test {
 protected:
  MeterTest() {
    system.machines.resize(1);
    limits.calls = 5;
    limits.cost = 2.5;
    limits.tokens = 1000;
    limits.time = hour;
  }
  static std::string why(const std::optional<Meter::Reached>& limit) {
    return limit ? limit->why : "";
  }
  static Time at(Millis time) { return Time(time); }

  model::System system;
  model::Limits limits;
  Spending used;
};

TEST_F(MeterTest, SaysWhatIsReachedAndHowMuchThatIs) {
  used.totals.calls = 5;
  used.totals.usage = {2.75, 900, 200};
  Meter meter(system, limits, used);
  meter.works("A#1", at(Millis(0)));
  EXPECT_EQ(why(meter.reached_by("A#1")), "the limit of 5 agent calls is reached");
  for (const char* expected :
       {"the limit of $2.50 is reached: $2.75 spent",
        "the limit of 1000 tokens is reached: 1100 used", "the limit of 1h of work is reached"}) {
    const auto limit = meter.reached(at(hour));
    EXPECT_EQ(why(limit), expected);
    if (limit) meter.taken(*limit);
  }
  EXPECT_EQ(why(meter.reached(at(hour))), "") << "each is offered once";
}

TEST_F(MeterTest, LessThanALimitOrNoLimitIsNotReached) {
  used.totals.calls = 4;
  used.totals.usage = {2.25, 900, 99};
  Meter meter(system, limits, used);
  meter.works("A#1", at(Millis(0)));
  EXPECT_EQ(why(meter.reached_by("A#1")), "");
  EXPECT_EQ(why(meter.reached(at(hour - Millis(1)))), "");
  used.totals.calls = 1000;
  used.totals.usage = {1000, 1'000'000, 0};
  const Meter free(system, {}, used);
  EXPECT_EQ(why(free.reached_by("A#1")), "");
  EXPECT_EQ(why(free.reached(at(1000 * hour))), "");
}

TEST_F(MeterTest, CallsAtWorkCountForTheLimitAndEndedOnesOnce) {
  Meter meter(system, limits, used);
  for (const char* path : {"A#1", "B#1", "C#1", "D#1", "E#1"}) {
    EXPECT_EQ(why(meter.reached_by(path)), "") << path;
    meter.call_began(path);
  }
  EXPECT_EQ(why(meter.reached_by("F#1")), "the limit of 5 agent calls is reached");
  EXPECT_EQ(meter.totals().calls, 0);
  meter.call_ended("A#1", true);
  EXPECT_EQ(meter.totals().calls, 1);
  EXPECT_EQ(why(meter.reached_by("F#1")), "the limit of 5 agent calls is reached");
  meter.call_ended("B#1", false);
  EXPECT_EQ(meter.totals().calls, 1) << "nobody was asked";
  EXPECT_EQ(why(meter.reached_by("F#1")), "");
}

TEST_F(MeterTest, ARecountAddsOnlyTheRepliesThatWereNotCounted) {
  Meter meter(system, limits, used);
  meter.count_reply("A#1", {0.5, 10, 1}, true);
  meter.recount("A#1", {{0.5, 10, 1}, {0.25, 10, 1}});
  EXPECT_EQ(meter.totals().usage.cost, 0.75);
  EXPECT_EQ(meter.totals().attempts, 2);
}

// Two at work at the same time are at work once; a person's or a timer's time is nobody's.
TEST_F(MeterTest, TimeIsThatInWhichSomethingIsAtWork) {
  limits = {};
  limits.time = hour;
  Meter meter(system, limits, used);
  meter.works("A#1", at(Millis(0)));
  meter.works("B#1", at(hour / 4));
  meter.rests("A#1", at(hour / 2));
  meter.rests("B#1", at(3 * hour / 4));
  meter.rests("B#1", at(100 * hour));
  EXPECT_EQ(why(meter.reached(at(100 * hour))), "");
  meter.works("C#1", at(100 * hour));
  EXPECT_EQ(why(meter.reached(at(100 * hour + hour / 8))), "");
  EXPECT_EQ(why(meter.reached(at(100 * hour + hour / 4))), "the limit of 1h of work is reached");
  meter.all_rest(at(100 * hour));
  EXPECT_EQ(meter.totals().time.until(at(200 * hour)), 3 * hour / 4);
}

}  // namespace
}  // namespace agneto::run
