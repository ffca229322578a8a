#include "record/timer_history.h"

#include <gtest/gtest.h>

namespace agneto::record {
namespace {

// Each entry comes ten minutes after the one before.
class TimerHistoryTest : public ::testing::Test {
 protected:
  void add(Body body) {
    now_ += std::chrono::minutes(10);
    ++seq_;
    history.add({seq_, now_, "", std::move(body)});
  }
  void start(const std::string& path, int minutes, bool pausable) {
    Macrostep step;
    step.effects.push_back(chart::StartTimer{path, std::chrono::minutes(minutes), pausable});
    add(step);
  }
  // In how many minutes from the newest entry on.
  int due(const std::string& path) const {
    return static_cast<int>((history.timers().at(path).due - now_) / std::chrono::minutes(1));
  }
  int left(const std::string& path) const {
    return static_cast<int>(history.timers().at(path).left / std::chrono::minutes(1));
  }

  TimerHistory history;

 private:
  Time now_{};
  Seq seq_ = 0;
};

TEST_F(TimerHistoryTest, ATimerIsThereUntilItComesDueOrIsCancelled) {
  start("A#1/after:1", 60, true);
  start("B#1/after:1", 60, false);
  EXPECT_EQ(due("A#1/after:1"), 50);
  Macrostep step;
  step.event = chart::Event{chart::Event::Kind::timer, "after", {}, "A#1/after:1"};
  step.effects.push_back(chart::Cancel{"B#1/after:1"});
  add(step);
  EXPECT_TRUE(history.timers().empty());
}

TEST_F(TimerHistoryTest, WhileTheRunIsSuspendedThoseThatArePausableStandStill) {
  start("A#1/after:1", 60, true);
  start("B#1/after:1", 60, false);
  add(Suspended{"for the night"});
  EXPECT_TRUE(history.suspended());
  EXPECT_EQ(left("A#1/after:1"), 40);
  add(Resumed{});
  EXPECT_FALSE(history.suspended());
  EXPECT_EQ(due("A#1/after:1"), 40);
  EXPECT_EQ(due("B#1/after:1"), 40);
  add(Resumed{});  // after a crash nothing has stood still
  EXPECT_EQ(due("A#1/after:1"), 30);
}

TEST_F(TimerHistoryTest, WhileTheRunIsQueuedThoseThatArePausableStandStill) {
  add(Queued{"lea"});
  add(Started{});
  EXPECT_FALSE(history.suspended());
  start("A#1/after:1", 60, true);
  add(Queued{"", "the server was stopped"});
  EXPECT_TRUE(history.suspended());
  add(Resumed{});
  EXPECT_EQ(due("A#1/after:1"), 50);
}

TEST_F(TimerHistoryTest, ARewindTakesThemBackToWhatTheyHadLeft) {
  start("A#1/after:1", 60, true);
  add(Instructed{"shorter"});
  Macrostep step;
  step.effects.push_back(chart::Cancel{"A#1/after:1"});
  add(step);
  EXPECT_TRUE(history.timers().empty());
  add(Rewound{2});
  EXPECT_EQ(left("A#1/after:1"), 50);
  add(Restored{});
  add(Resumed{});
  EXPECT_EQ(due("A#1/after:1"), 50);
}

}  // namespace
}  // namespace agneto::record
