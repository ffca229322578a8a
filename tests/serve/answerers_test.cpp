#include "serve/answerers.h"

#include <gtest/gtest.h>

#include <future>
#include <latch>

namespace agneto::serve {
namespace {

TEST(AnswerersTest, WhatDoesSomethingWaitsForNobodyWhoLooks) {
  std::latch seen(1);
  std::promise<void> aborted;
  Lanes lanes;
  for (int i = 0; i < 100; ++i) lanes.of("GET", "/api/v1/runs").post([&] { seen.wait(); });
  for (int i = 0; i < 100; ++i) lanes.of("POST", "/mcp").post([&] { seen.wait(); });
  lanes.of("POST", "/api/v1/runs/r/abort").post([&] { aborted.set_value(); });
  EXPECT_EQ(aborted.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
  seen.count_down();
}

TEST(AnswerersTest, AnswerInTheOrderInWhichTheyAreAsked) {
  Answerers one(1);
  std::promise<std::vector<int>> done;
  std::vector<int> seen;
  for (int i = 0; i < 10; ++i) one.post([&, i] { seen.push_back(i); });
  one.post([&] { done.set_value(seen); });
  EXPECT_EQ(done.get_future().get(), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

}  // namespace
}  // namespace agneto::serve
