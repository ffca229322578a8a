#include "run/cron.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/errors.h"

namespace agneto::run {
namespace {

using testing::error_of;

cctz::time_zone zone(const std::string& name) {
  return zone_of(name).value();
}

// When it comes next, as the clocks in UTC show it: "2026-11-27 07:30".
std::string next(const std::string& cron, const std::string& after,
                 const std::string& place = "UTC") {
  const auto time = Cron(cron).next(parse_time(after + ":00.000Z").value(), zone(place));
  return time ? format_time(*time).substr(0, 16) : "never";
}

std::string last(const std::string& cron, const std::string& until,
                 const std::string& place = "UTC") {
  const auto time = Cron(cron).last(parse_time(until + ":00.000Z").value(), zone(place));
  return time ? format_time(*time).substr(0, 16) : "never";
}

TEST(CronTest, ReadsNumbersNamesListsRangesAndSteps) {
  EXPECT_EQ(next("* * * * *", "2026-11-26T17:00"), "2026-11-26T17:01");
  EXPECT_EQ(next("30 7 * * *", "2026-11-26T17:00"), "2026-11-27T07:30");
  EXPECT_EQ(next("30 7 * * mon-fri", "2026-11-27T17:00"), "2026-11-30T07:30");
  EXPECT_EQ(next("30 7 * * SAT,sun", "2026-11-26T17:00"), "2026-11-28T07:30");
  EXPECT_EQ(next("0 0 * * fri-sun", "2026-11-28T17:00"), "2026-11-29T00:00");
  EXPECT_EQ(next("0 0 * * 7", "2026-11-26T17:00"), "2026-11-29T00:00");
  EXPECT_EQ(next("0 0 1 jan,7-8 *", "2026-11-26T17:00"), "2027-01-01T00:00");
  EXPECT_EQ(next("*/20 9-17/4 * * *", "2026-11-26T09:41"), "2026-11-26T13:00");
  EXPECT_EQ(next(" 5,10-12   17 *\t* * ", "2026-11-26T17:10"), "2026-11-26T17:11");
  EXPECT_EQ(next("0 0 29 2 *", "2096-03-01T00:00"), "2104-02-29T00:00");
}

TEST(CronTest, TakesEitherDayWhereBothAreSaid) {
  EXPECT_EQ(next("0 0 13 * fri", "2026-11-26T00:00"), "2026-11-27T00:00");
  EXPECT_EQ(next("0 0 13 * fri", "2026-12-11T00:00"), "2026-12-13T00:00");
  EXPECT_EQ(next("0 0 */2 * fri", "2026-11-27T00:00"), "2026-12-11T00:00") << "a * leaves both";
}

TEST(CronTest, ReadsWords) {
  EXPECT_EQ(next("@hourly", "2026-11-26T17:00"), "2026-11-26T18:00");
  EXPECT_EQ(next("@daily", "2026-11-26T17:00"), "2026-11-27T00:00");
  EXPECT_EQ(next("@midnight", "2026-11-26T17:00"), "2026-11-27T00:00");
  EXPECT_EQ(next("@weekly", "2026-11-26T17:00"), "2026-11-29T00:00");
  EXPECT_EQ(next("@Monthly", "2026-11-26T17:00"), "2026-12-01T00:00");
  EXPECT_EQ(next("@yearly", "2026-11-26T17:00"), "2027-01-01T00:00");
  EXPECT_EQ(next("@annually", "2026-11-26T17:00"), "2027-01-01T00:00");
}

TEST(CronTest, GoesByTheClocksOfAPlace) {
  EXPECT_EQ(next("0 9 * * *", "2026-11-26T17:00", "America/New_York"), "2026-11-27T14:00");
  EXPECT_EQ(next("0 9 * * *", "2026-07-01T17:00", "America/New_York"), "2026-07-02T13:00");
  EXPECT_EQ(next("0 9 * * *", "2026-07-01T00:00", "Asia/Kolkata"), "2026-07-01T03:30");
}

// In London 01:00 to 02:00 was skipped on 2026-03-29.
TEST(CronTest, ComesOnceTheClocksHaveSkippedIt) {
  EXPECT_EQ(next("30 1 * * *", "2026-03-28T12:00", "Europe/London"), "2026-03-29T01:00");
  EXPECT_EQ(next("30 1 * * *", "2026-03-29T01:00", "Europe/London"), "2026-03-30T00:30");
  EXPECT_EQ(next("*/15 * * * *", "2026-03-29T00:45", "Europe/London"), "2026-03-29T01:00");
  EXPECT_EQ(next("*/15 * * * *", "2026-03-29T01:00", "Europe/London"), "2026-03-29T01:15");
  EXPECT_EQ(last("30 1 * * *", "2026-03-29T12:00", "Europe/London"), "2026-03-29T01:00");
  EXPECT_EQ(last("30 1 * * *", "2026-03-29T00:59", "Europe/London"), "2026-03-28T01:30");
}

// 01:00 to 02:00 was shown twice on 2026-10-25: from 00:00 UTC, and from 01:00 UTC.
TEST(CronTest, ComesOnceWhereTheClocksShowItTwice) {
  EXPECT_EQ(next("30 1 * * *", "2026-10-24T12:00", "Europe/London"), "2026-10-25T00:30");
  EXPECT_EQ(next("30 1 * * *", "2026-10-25T00:30", "Europe/London"), "2026-10-26T01:30");
  EXPECT_EQ(next("30 1 * * *", "2026-10-25T01:10", "Europe/London"), "2026-10-26T01:30");
  EXPECT_EQ(next("*/15 * * * *", "2026-10-25T00:45", "Europe/London"), "2026-10-25T02:00");
  EXPECT_EQ(last("30 1 * * *", "2026-10-25T01:45", "Europe/London"), "2026-10-25T00:30");
  EXPECT_EQ(last("45 1 * * *", "2026-10-25T01:10", "Europe/London"), "2026-10-25T00:45");
}

TEST(CronTest, FindsTheLastTimeThatHasCome) {
  EXPECT_EQ(last("30 7 * * *", "2026-11-26T17:00"), "2026-11-26T07:30");
  EXPECT_EQ(last("30 7 * * *", "2026-11-26T07:30"), "2026-11-26T07:30");
  EXPECT_EQ(last("30 7 * * *", "2026-11-26T07:29"), "2026-11-25T07:30");
  EXPECT_EQ(last("0 0 29 2 *", "2026-11-26T07:29"), "2024-02-29T00:00");
  EXPECT_EQ(last("0 18 * * *", "2026-11-26T23:30", "America/New_York"), "2026-11-26T23:00");
}

// Whatever the clocks do, what comes next is what came last once it has come.
TEST(CronTest, LooksBackAsItLooksForward) {
  for (const char* cron : {"*/7 * * * *", "30 1 * * *", "0 */3 * * sun", "59 23 28-31 * *"}) {
    for (const char* place : {"Europe/London", "Australia/Lord_Howe", "Africa/Cairo", "UTC"}) {
      const Cron times(cron);
      auto at = times.next(parse_time("2026-03-28T00:00:00.000Z").value(), zone(place));
      for (int i = 0; i < 300; ++i) {
        const auto after = times.next(*at, zone(place));
        ASSERT_GT(*after, *at);
        ASSERT_EQ(times.last(*after, zone(place)), after) << cron << place << format_time(*after);
        ASSERT_EQ(times.last(*after - Millis(1), zone(place)), at) << cron << format_time(*after);
        at = after;
      }
    }
  }
}

std::string refusal(const std::string& cron) {
  return error_of([&] { Cron{cron}; });
}

TEST(CronTest, SaysWhatIsWrong) {
  EXPECT_EQ(refusal("0 0 * *"),
            "'0 0 * *' has 4 fields\nwrite five: minute, hour, day of the month, month, weekday; "
            "such as '30 7 * * mon-fri'");
  EXPECT_EQ(refusal("60 0 * * *"), "'60' is no minute\nwrite 0 to 59");
  EXPECT_EQ(refusal("0 0 * * funday"), "'funday' is no weekday\nwrite 0 to 7, or sun to sat");
  EXPECT_EQ(refusal("0 0 * jam *"), "'jam' is no month\ndid you mean 'jan'?");
  EXPECT_EQ(refusal("0 0 0 * *"), "'0' is no day of the month\nwrite 1 to 31");
  EXPECT_EQ(refusal("0 0, * * *"), "'' is no hour\nwrite 0 to 23");
  EXPECT_EQ(refusal("0 -1 * * *"), "'' is no hour\nwrite 0 to 23");
  EXPECT_EQ(refusal("0 9-17-20 * * *"),
            "'9-17-20' is no hour\nwrite such as 5, 1-5, */10 or 1-30/2, with commas between "
            "several");
  EXPECT_EQ(refusal("0 17-9 * * *"),
            "'17-9' ends before it begins\nwrite the hour that comes first before the -");
  EXPECT_EQ(refusal("*/0 * * * *"),
            "'/0' is no step of a minute\nwrite such as */5: every fifth one");
  EXPECT_EQ(refusal("5/15 * * * *"),
            "'5/15' is a step of nothing\nwrite the range that it steps through: 5-59/15");
  EXPECT_EQ(refusal("0 0 31 feb,apr *"),
            "'0 0 31 feb,apr *' never comes\nno month that it names has such a day");
  EXPECT_EQ(refusal("@dayly"), "'@dayly' is no schedule\ndid you mean '@daily'?");
}

TEST(ZoneTest, KnowsThoseOfTheDatabaseAndNoFiles) {
  EXPECT_TRUE(zone_of("Europe/London"));
  EXPECT_TRUE(zone_of(""));
  for (const char* name : {"Europe/Lodon", "/etc/localtime", "../zoneinfo/UTC", "file:/etc/passwd",
                           "posixrules ", "tzdata.zi"}) {
    EXPECT_FALSE(zone_of(name)) << name;
  }
  const auto names = zone_names();
  for (const char* name : {"UTC", "Europe/London", "Asia/Kolkata"}) {
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  }
}

}  // namespace
}  // namespace agneto::run
