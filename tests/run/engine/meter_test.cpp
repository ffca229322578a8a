#include "run/engine/meter.h"

#include <gtest/gtest.h>

#include "run/fakes.h"

namespace agneto::run {
namespace {

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
  record::Entry entry(const std::string& path, record::Body body) const {
    return {0, now, path, std::move(body)};
  }
  void order(Meter& meter, const std::vector<std::string>& paths) const {
    record::Macrostep step;
    for (const auto& path : paths) {
      step.effects.push_back(chart::NamedCall{path, "flow", "CODING", "", 1, ""});
    }
    meter.count(entry("", step));
  }
  void ask(Meter& meter, const std::string& path) const {
    meter.count(entry(path, record::Prompt{}));
    meter.count(entry(path, record::Process{}));
  }
  void reply(Meter& meter, const std::string& path, const agents::Usage& usage = {}) const {
    record::Reply reply;
    reply.usage = usage;
    meter.count(entry(path, reply));
  }
  // So many calls were made, each with a part of that.
  void use(Meter& meter, int calls, const agents::Usage& usage) const {
    for (int i = 1; i <= calls; ++i) {
      const std::string path = "BEFORE#" + std::to_string(i);
      order(meter, {path});
      ask(meter, path);
      reply(meter, path, i == calls ? usage : agents::Usage{});
    }
  }

  model::System system;
  model::Limits limits;
  Spending used;
  Time now{};
};

TEST_F(MeterTest, SaysWhatIsReachedAndHowMuchThatIs) {
  Meter meter(system, limits, used);
  use(meter, 5, {2.75, 900, 200});
  order(meter, {"A#1"});
  EXPECT_EQ(why(meter.reached_by("A#1")), "the limit of 5 agent calls is reached");
  ask(meter, "A#1");
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
  Meter meter(system, limits, used);
  use(meter, 4, {2.25, 900, 99});
  order(meter, {"A#1"});
  EXPECT_EQ(why(meter.reached_by("A#1")), "");
  ask(meter, "A#1");
  EXPECT_EQ(why(meter.reached(at(hour - Millis(1)))), "");
  Meter free(system, {}, used);
  use(free, 1000, {1000, 1'000'000, 0});
  order(free, {"A#1"});
  EXPECT_EQ(why(free.reached_by("A#1")), "");
  EXPECT_EQ(why(free.reached(at(1000 * hour))), "");
}

TEST_F(MeterTest, ACallCountsOnceItsAgentIsAsked) {
  limits.calls = 2;
  Meter meter(system, limits, used);
  order(meter, {"A#1", "B#1", "C#1"});
  for (const char* path : {"A#1", "B#1"}) {
    EXPECT_EQ(why(meter.reached_by(path)), "") << path;
    EXPECT_FALSE(meter.must_wait(path)) << path;
    meter.call_began(path);
  }
  EXPECT_TRUE(meter.must_wait("C#1")) << "both may be asked";
  EXPECT_EQ(why(meter.reached_by("C#1")), "") << "and may not";
  EXPECT_EQ(meter.totals().calls, 0);
  ask(meter, "A#1");
  EXPECT_EQ(used.totals.calls, 1);
  reply(meter, "A#1");
  ask(meter, "A#1");
  EXPECT_EQ(used.totals.calls, 1) << "once, however often it is asked";
  EXPECT_TRUE(meter.must_wait("C#1"));
  EXPECT_FALSE(meter.call_over("B#1")) << "nobody was asked";
  EXPECT_FALSE(meter.must_wait("C#1"));
  EXPECT_EQ(why(meter.reached_by("C#1")), "");
  ask(meter, "C#1");
  EXPECT_TRUE(meter.call_over("C#1"));
  EXPECT_EQ(why(meter.reached_by("D#1")), "the limit of 2 agent calls is reached");
  EXPECT_EQ(why(meter.reached_by("A#1")), "") << "it counts already";
  EXPECT_FALSE(meter.must_wait("A#1"));
}

TEST_F(MeterTest, WhatIsCountedAnewIsCountedOnce) {
  Meter meter(system, limits, used);
  use(meter, 1, {0.5, 10, 1});
  record::Macrostep step;
  step.effects.push_back(chart::NamedCall{"A#1", "flow", "CODING", "", 1, ""});
  record::Reply reply;
  reply.usage = {0.75, 10, 1};
  meter.count(std::vector{entry("", step), entry("A#1", reply)});
  EXPECT_EQ(used.totals.usage.cost, 0.75);
  EXPECT_EQ(used.totals.attempts, 1);
  EXPECT_EQ(used.totals.calls, 1);
}

}  // namespace
}  // namespace agneto::run
