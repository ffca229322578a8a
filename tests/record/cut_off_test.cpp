#include "record/cut_off.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/totals.h"

namespace agneto::record {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class CutOffTest : public ::testing::Test {
 protected:
  CutOffTest() {
    add("", Started{});
    Macrostep step;
    for (const char* path : {"A#1", "B#1"}) {
      step.effects.push_back(chart::NamedCall{path, "flow", "CODING", "", 1, ""});
    }
    chart::RunCommand program;
    program.path = "P#1";
    step.effects.push_back(program);
    add("", step);
  }
  void add(std::string path, Body body, Millis later = Millis(1000)) {
    now_ += later;
    entries_.push_back(
        {static_cast<Seq>(entries_.size()) + 1, now_, std::move(path), std::move(body)});
  }
  void ask(const std::string& path, int attempt = 1) {
    Prompt prompt;
    prompt.attempt = attempt;
    prompt.provider = "claude";
    prompt.model = "opus";
    add(path, prompt);
  }
  std::vector<Entry> lost() const {
    return cut_off(entries_, [this](const auto& provider, const auto& model) {
      return provider + "/" + model == free_;
    });
  }

  std::vector<Entry> entries_;
  Time now_{};
  std::string free_;
};

TEST_F(CutOffTest, WhatWasSentCountsThoughNobodyKnowsWhatItCost) {
  ask("A#1", 2);
  add("A#1", Process{});
  add("P#1", ProgramCall{});
  add("P#1", Process{});
  auto replies = lost();
  ASSERT_THAT(replies, SizeIs(1)) << "a program costs nothing";
  EXPECT_EQ(replies[0].path, "A#1");
  EXPECT_EQ(replies[0].time, now_);
  const Reply& reply = *replies[0].get<Reply>();
  EXPECT_EQ(reply.attempt, 2);
  EXPECT_EQ(reply.event, "stopped");
  EXPECT_EQ(reply.error, "agneto was killed before it was over");
  EXPECT_EQ(reply.duration, Millis(2000));
  add("A#1", reply, Millis(0));
  EXPECT_THAT(lost(), IsEmpty());
  const Totals totals = totals_of(entries_, {}, now_);
  EXPECT_EQ(totals.attempts, 1);
  EXPECT_EQ(totals.usage.unpriced, 1);
  EXPECT_EQ(totals.usage.uncounted, 1);
}

TEST_F(CutOffTest, WhatIsFreeHasAPrice) {
  free_ = "claude/opus";
  ask("A#1");
  add("A#1", Process{});
  auto replies = lost();
  ASSERT_THAT(replies, SizeIs(1));
  EXPECT_EQ(replies[0].get<Reply>()->usage.unpriced, 0);
  EXPECT_EQ(replies[0].get<Reply>()->usage.uncounted, 1);
}

TEST_F(CutOffTest, WhatWasNotSentOrHasAReplyIsNone) {
  ask("A#1");
  EXPECT_THAT(lost(), IsEmpty()) << "its program was not started";
  add("A#1", Process{});
  add("A#1", Reply{});
  ask("B#1");
  EXPECT_THAT(lost(), IsEmpty());
}

// A provider that is away is asked the same again, without another prompt.
TEST_F(CutOffTest, OfAProviderThatIsAwayCountsWhatIsUnderWay) {
  ask("A#1");
  add("A#1", Process{});
  Reply away;
  away.event = "away";
  add("A#1", away);
  EXPECT_THAT(lost(), IsEmpty());
  add("A#1", Process{}, Millis(60'000));
  add("B#1", Said{});
  auto replies = lost();
  ASSERT_THAT(replies, SizeIs(1));
  EXPECT_EQ(replies[0].get<Reply>()->duration, Millis(1000));
}

}  // namespace
}  // namespace agneto::record
