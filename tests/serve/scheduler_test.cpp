// Whatever is killed, and however often, a time of a schedule makes one run.
#include "serve/scheduler.h"

#include <gtest/gtest.h>

#include "run/fakes.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::serve {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

run::Schedule a_schedule(const std::string& name, const std::string& cron) {
  run::Schedule schedule;
  schedule.name = name;
  schedule.cron = cron;
  schedule.times = run::Cron(cron);
  schedule.timezone = "UTC";
  schedule.zone = cctz::utc_time_zone();
  return schedule;
}

class SchedulerTest : public ::testing::Test {
 protected:
  // As a server that is started now.
  Scheduler started() const {
    Scheduler scheduler("/repo");
    scheduler.set(schedules_);
    return scheduler;
  }
  void record(const Scheduler::Due& due) {
    journal::RunRecord run;
    run.id = "run-" + std::to_string(++runs_);
    run.workflow = due.schedule.workflow;
    run.status = "queued";
    run.origin = run::origin_of(due.schedule.name, due.time);
    run.created = run.updated = clock_.now();
    journal_->create(run, {}, {{0, clock_.now(), "queued", "", Json::object()}}, Json());
  }
  void end(const std::string& id) {
    journal::RunRecord run = *journal_->find(id);
    run.status = "complete";
    run.updated = clock_.now();
    journal_->append(id, {{0, clock_.now(), "noted", "", Json::object()}}, Json(), &run);
  }
  std::size_t made() { return journal_->list().size(); }

  testing::TemporaryFolder folder_;
  std::unique_ptr<journal::Journal> journal_ = journal::open_journal(folder_ / "runs.db");
  run::TestClock clock_;  // begins at 1970-01-01T00:16:40Z
  std::vector<run::Schedule> schedules_ = {a_schedule("hourly", "0 * * * *")};
  int runs_ = 0;
};

TEST_F(SchedulerTest, GivesOutATimeOnce) {
  Scheduler scheduler = started();
  EXPECT_EQ(scheduler.take_due(*journal_, clock_).size(), 0U);
  EXPECT_EQ(scheduler.next(clock_.now()), Time(std::chrono::hours(1)));
  clock_.advance(minutes(44));
  const auto due = scheduler.take_due(*journal_, clock_);
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].time, Time(std::chrono::hours(1)));
  EXPECT_EQ(scheduler.take_due(*journal_, clock_).size(), 0U) << "it is in hand";
  record(due[0]);
  scheduler.made("hourly", true, clock_);
  EXPECT_EQ(scheduler.take_due(*journal_, clock_).size(), 0U) << "it is in the journal";
}

TEST_F(SchedulerTest, IsKilledBeforeOrBehindTheTransactionAndMakesOneRun) {
  clock_.advance(minutes(44));
  for (int kill = 0; kill < 3; ++kill) {  // before anything is written
    EXPECT_EQ(started().take_due(*journal_, clock_).size(), 1U);
  }
  record(started().take_due(*journal_, clock_).at(0));  // and is killed before `made`
  EXPECT_EQ(started().take_due(*journal_, clock_).size(), 0U);
  end("run-1");
  EXPECT_EQ(started().take_due(*journal_, clock_).size(), 0U);
  EXPECT_EQ(made(), 1U);
}

TEST_F(SchedulerTest, MakesOneRunAlsoWhereTwoServersTakeItUp) {
  clock_.advance(minutes(44));
  const auto one = started().take_due(*journal_, clock_);
  const auto other = started().take_due(*journal_, clock_);
  record(one.at(0));
  EXPECT_EQ(testing::error_of([&] { record(other.at(0)); }),
            "there is a run of 'schedule hourly 1970-01-01T01:00:00.000Z' already");
  EXPECT_EQ(made(), 1U);
}

TEST_F(SchedulerTest, TriesAgainWhatCouldNotBeMade) {
  Scheduler scheduler = started();
  clock_.advance(minutes(43) + seconds(20));  // now it is due
  int tries = 0;
  for (int second = 0; second < 90; ++second, clock_.advance(seconds(1))) {
    if (scheduler.take_due(*journal_, clock_).empty()) continue;
    ++tries;
    scheduler.made("hourly", false, clock_);
  }
  EXPECT_EQ(tries, 3);
}

TEST_F(SchedulerTest, TroubleWithOneTimeIsNoneWithTheNext) {
  Scheduler scheduler = started();
  const auto tries_within = [&](Millis time) {
    int tries = 0;
    for (const Millis end = clock_.elapsed() + time; clock_.elapsed() < end;
         clock_.advance(seconds(1))) {
      if (scheduler.take_due(*journal_, clock_).empty()) continue;
      ++tries;
      scheduler.made("hourly", false, clock_);
    }
    return tries;
  };
  clock_.advance(minutes(43) + seconds(20));
  EXPECT_EQ(tries_within(minutes(10)), 3);
  EXPECT_EQ(tries_within(minutes(60)), 3);
}

TEST_F(SchedulerTest, TellsTheFirstOfItsNextTimes) {
  schedules_.push_back(a_schedule("often", "*/20 * * * *"));
  EXPECT_EQ(started().next(clock_.now()), Time(minutes(20)));
  EXPECT_EQ(Scheduler("/repo").next(clock_.now()), std::nullopt);
}

TEST_F(SchedulerTest, DescribesSchedulesWithTheirLastRun) {
  EXPECT_EQ(described(schedules_, {{"hourly", "it is ill"}}, nullptr, "/repo", clock_.now()),
            Json::parse(R"([{"name": "hourly", "workflow": "agneto", "task": "",
              "cron": "0 * * * *", "timezone": "UTC", "next": "1970-01-01T01:00:00.000Z",
              "wrong": "it is ill"}])"));
  clock_.advance(minutes(44));
  record(started().take_due(*journal_, clock_).at(0));
  const Json json = described(schedules_, {}, journal_.get(), "/repo", clock_.now());
  EXPECT_EQ(json[0]["last"], Json::parse(R"({"run": "run-1", "due": "1970-01-01T01:00:00.000Z",
                                             "status": "queued"})"));
  EXPECT_FALSE(json[0].contains("wrong"));
}

TEST_F(SchedulerTest, TellsOfWhatAServerWouldMakeAtOnce) {
  const auto next = [&] {
    return described(schedules_, {}, journal_.get(), "/repo", clock_.now())[0]["next"];
  };
  clock_.advance(minutes(43) + seconds(50));
  EXPECT_EQ(next(), "1970-01-01T01:00:00.000Z") << "it is to come";
  clock_.advance(seconds(30));
  EXPECT_EQ(next(), "1970-01-01T01:00:00.000Z") << "it is made once somebody serves";
  record(started().take_due(*journal_, clock_).at(0));
  EXPECT_EQ(next(), "1970-01-01T02:00:00.000Z");
}

}  // namespace
}  // namespace agneto::serve
