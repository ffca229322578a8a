// A schedule knows from its last run alone what is due.
#include "run/schedule.h"

#include <gtest/gtest.h>

#include <set>

namespace agneto::run {
namespace {

Time at(const std::string& time) {
  return parse_time("2026-11-" + time + ":00.000Z").value();
}

Schedule a_schedule(const std::string& cron = "0 9 * * *") {
  Schedule schedule;
  schedule.name = "daily";
  schedule.cron = cron;
  schedule.times = Cron(cron);
  schedule.zone = cctz::utc_time_zone();
  return schedule;
}

std::string due(const Schedule& schedule, const std::string& now,
                const std::optional<MadeLast>& last = {}) {
  const auto time = due_now(schedule, last, at(now), "/repo");
  return time ? format_time(*time).substr(8, 8) : "none";
}

MadeLast ended(const std::string& due, const std::string& end) {
  return {at(due), at(end)};
}
MadeLast under_way(const std::string& due) {
  return {at(due)};
}

TEST(ScheduleTest, IsDueOnceItsTimeHasCome) {
  const Schedule daily = a_schedule();
  EXPECT_EQ(due(daily, "26T08:59"), "none");
  EXPECT_EQ(due(daily, "26T09:00"), "26T09:00");
  EXPECT_EQ(due(daily, "26T09:01"), "26T09:00") << "a minute late is not too late";
  EXPECT_EQ(due(daily, "26T09:02"), "none") << "it was missed";
  EXPECT_EQ(due(daily, "27T09:00", ended("26T09:00", "26T09:30")), "27T09:00");
}

TEST(ScheduleTest, IsDueOnceForATime) {
  const Schedule daily = a_schedule();
  EXPECT_EQ(due(daily, "26T09:00", under_way("26T09:00")), "none");
  EXPECT_EQ(due(daily, "26T09:01", ended("26T09:00", "26T09:00")), "none");
  EXPECT_EQ(due(daily, "26T09:00", ended("27T09:00", "27T09:00")), "none")
      << "somebody has put the clock back";
}

TEST(ScheduleTest, SkipsWhatWasMissed) {
  EXPECT_EQ(due(a_schedule(), "27T12:00", ended("25T09:00", "25T09:30")), "none");
}

TEST(ScheduleTest, MakesUpOnceForWhatWasMissed) {
  Schedule daily = a_schedule();
  daily.makes_up = true;
  EXPECT_EQ(due(daily, "28T12:00", ended("25T09:00", "25T09:30")), "28T09:00");
  EXPECT_EQ(due(daily, "28T12:00", ended("28T09:00", "28T12:01")), "none");
  EXPECT_EQ(due(daily, "28T12:00"), "none") << "before its first run nothing is missed";
}

TEST(ScheduleTest, SkipsWhatIsDueWhileItsLastRunGoesOn) {
  Schedule hourly = a_schedule("0 * * * *");
  hourly.makes_up = true;
  EXPECT_EQ(due(hourly, "26T12:00", under_way("26T10:00")), "none");
  EXPECT_EQ(due(hourly, "26T12:01", ended("26T10:00", "26T12:01")), "none");
  EXPECT_EQ(due(hourly, "26T13:00", ended("26T10:00", "26T12:01")), "26T13:00");
}

TEST(ScheduleTest, QueuesOneOfThemForWhenThatHasEnded) {
  Schedule hourly = a_schedule("0 * * * *");
  hourly.queues = true;
  EXPECT_EQ(due(hourly, "26T12:30", under_way("26T10:00")), "none");
  EXPECT_EQ(due(hourly, "26T12:31", ended("26T10:00", "26T12:31")), "26T12:00");
  EXPECT_EQ(due(hourly, "26T12:31", under_way("26T12:00")), "none");
  EXPECT_EQ(due(hourly, "26T12:31", ended("26T10:00", "26T11:30")), "none") << "it was missed";
}

TEST(ScheduleTest, JitterIsByChanceAndAlwaysTheSame) {
  Schedule daily = a_schedule();
  daily.jitter = std::chrono::minutes(30);
  std::set<Time> moments;
  for (int day = 10; day < 30; ++day) {
    const Time before = at(std::to_string(day) + "T08:00");
    const Time next = next_run(daily, before, "/repo").value();
    EXPECT_GE(next, before + std::chrono::hours(1));
    EXPECT_LT(next, before + std::chrono::minutes(90));
    moments.insert(Time(next.time_since_epoch() % std::chrono::hours(24)));
    EXPECT_EQ(next_run(daily, next - Millis(1), "/repo"), next);
    EXPECT_NE(next_run(daily, before, "/other"), next);
    EXPECT_FALSE(due_now(daily, {}, next - Millis(1), "/repo"));
    EXPECT_EQ(due_now(daily, {}, next, "/repo"), before + std::chrono::hours(1));
    EXPECT_GT(next_run(daily, next, "/repo").value(), before + std::chrono::hours(25));
  }
  EXPECT_EQ(moments.size(), 20U);
}

}  // namespace
}  // namespace agneto::run
