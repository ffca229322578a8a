#include "base/clock.h"

#include <gtest/gtest.h>

#include <thread>

namespace agneto {
namespace {

TEST(ClockTest, WritesTimeInUtc) {
  EXPECT_EQ(format_time(Time(Millis(0))), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(format_time(Time(Millis(1'795'298'436'123))), "2026-11-21T22:00:36.123Z");
  EXPECT_EQ(format_time(Time(Millis(951'782'400'007))), "2000-02-29T00:00:00.007Z");
}

TEST(ClockTest, ReadsTheTimeThatItWrites) {
  const Time time(Millis(951'782'400'007));
  EXPECT_EQ(parse_time(format_time(time)), time);
  for (const char* none : {"", "2000-02-29", "2001-02-29T00:00:00.007Z", "2000-02-29T25:00:00.007Z",
                           "2000-02-29T00:00:00.007Zulu"}) {
    EXPECT_EQ(parse_time(none), std::nullopt) << none;
  }
}

TEST(ClockTest, StopEndsASleepEarly) {
  SystemClock clock;
  std::stop_source stop;
  bool slept = true;
  std::thread sleeper([&] { slept = clock.sleep(std::chrono::hours(1), stop.get_token()); });
  stop.request_stop();
  sleeper.join();
  EXPECT_FALSE(slept);
}

TEST(ClockTest, SaysThatItSleptToTheEnd) {
  EXPECT_TRUE(SystemClock().sleep(Millis(0), {}));
  EXPECT_TRUE(SystemClock().sleep(Millis(-1), {}));
}

}  // namespace
}  // namespace agneto
