#include "run/engine/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace agneto::run {
namespace {

void until_stopped(std::stop_token stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait(lock, stop, [] { return false; });
}

TEST(Workers, ReadersShareAWorkspaceAndAWriterHasItAlone) {
  Workers workers;
  EXPECT_FALSE(workers.is_busy("", true));
  workers.start("READ#1", "", false, until_stopped);
  EXPECT_FALSE(workers.is_busy("", false));
  EXPECT_TRUE(workers.is_busy("", true));
  EXPECT_FALSE(workers.is_busy("EACH#1[1]", true)) << "another workspace";
  workers.start("WRITE#1", "EACH#1[1]", true, until_stopped);
  EXPECT_TRUE(workers.is_busy("EACH#1[1]", false));
  EXPECT_TRUE(workers.any("WRITE#1"));
  EXPECT_FALSE(workers.any("WRITE#2"));
}

TEST(Workers, WhatIsCancelledIsStoppedAndNotWanted) {
  Workers workers;
  workers.start("A#1", "", true, until_stopped);
  workers.start("B#1", "", true, [](std::stop_token) {});
  workers.cancel("A#1");
  workers.cancel("C#1");
  EXPECT_FALSE(workers.is_wanted("A#1"));
  EXPECT_TRUE(workers.is_busy("", true)) << "it has not ended yet";
  EXPECT_FALSE(workers.finish("A#1"));
  EXPECT_TRUE(workers.finish("B#1"));
  EXPECT_FALSE(workers.any(""));
}

TEST(Workers, AStopWaitsForAll) {
  std::atomic<int> ended = 0;
  Workers workers;
  for (const char* path : {"A#1", "B#1", "C#1"}) {
    workers.start(path, "", false, [&](std::stop_token stop) {
      until_stopped(stop);
      ++ended;
    });
  }
  workers.stop();
  EXPECT_EQ(ended, 3);
  EXPECT_FALSE(workers.any(""));
}

}  // namespace
}  // namespace agneto::run
