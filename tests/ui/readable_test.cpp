#include "ui/readable.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace agneto::ui {
namespace {

TEST(ReadableTest, PathsCountEntriesFromTheSecondOn) {
  EXPECT_EQ(readable_path("TASK_EXECUTING#1/CODE_REVIEW#3"), "TASK_EXECUTING/CODE_REVIEW #3");
  EXPECT_EQ(readable_path("TASK_PLANNING#1"), "TASK_PLANNING");
  EXPECT_EQ(readable_path("A#2/B#1"), "A#2/B");
  EXPECT_EQ(readable_path("PANEL#1[2]/A#3"), "PANEL[2]/A #3");
  EXPECT_EQ(readable_path("PANEL#4[1]/A#1"), "PANEL#4[1]/A");
  EXPECT_EQ(readable_path("PANEL#2[3]"), "PANEL#2[3]");
  EXPECT_EQ(readable_path("A#2/after:1"), "A#2/after:1");
  EXPECT_EQ(readable_path("A#2/send:#3"), "A#2/send:");
  EXPECT_EQ(readable_path(""), "");
}

TEST(ReadableTest, ANarrowPathLosesItsOuterStates) {
  EXPECT_EQ(readable_path("OUTER#1/MIDDLE#1/INNER#2", 21), "OUTER/MIDDLE/INNER #2");
  EXPECT_EQ(readable_path("OUTER#1/MIDDLE#1/INNER#2", 20), "…/MIDDLE/INNER #2");
  EXPECT_EQ(readable_path("OUTER#1/MIDDLE#1/INNER#2", 16), "…/INNER #2");
  EXPECT_EQ(readable_path("OUTER#1/MIDDLE#1/INNER#2", 6), "…/INN…");
  EXPECT_EQ(readable_path("REVIEWING#4[1]/REVIEW#1", 20), "…#4[1]/REVIEW");
  EXPECT_EQ(readable_path("REVIEWING#4[1]/REVIEW#1", 12), "…/REVIEW");
  EXPECT_EQ(readable_path("OUTER#2/PANEL#1[3]/REVIEW#1", 20), "…#2/PANEL[3]/REVIEW");
  EXPECT_EQ(readable_path("OUTER#2/PANEL#1[3]/REVIEW#1", 18), "…/PANEL[3]/REVIEW");
  EXPECT_EQ(readable_path("OUTER#2/PANEL#1[3]/REVIEW#1", 15), "…[3]/REVIEW");
}

TEST(ReadableTest, JourneysCountRepetitions) {
  EXPECT_EQ(readable_journey({"A", "B", "B", "A"}), "A → B ×2 → A");
  EXPECT_EQ(readable_journey({}), "");
}

TEST(ReadableTest, TimesAreThoseOfThisPlace) {
  setenv("TZ", "UTC+4:30", 1);  // west of Greenwich
  tzset();
  EXPECT_EQ(local_time(Time(std::chrono::hours(24 * 365) + Millis(1999))), "1970-12-31 19:30:01");
  setenv("TZ", "UTC", 1);
  tzset();
}

TEST(ReadableTest, AnEffortLeavesOutWhatWasNotReported) {
  EXPECT_EQ(readable_effort({19, {1.5, 100'000, 23'456}}), "19 agent calls · $1.50 · 123k tokens");
  EXPECT_EQ(readable_effort({1, {0, 9'000, 999}}), "1 agent call · 9999 tokens");
  EXPECT_EQ(readable_effort({}), "0 agent calls");
}

TEST(ReadableTest, ABaseThatIsACommitIsShort) {
  EXPECT_EQ(readable_base("main"), "main");
  EXPECT_EQ(readable_base("0123456789abcdef0123456789abcdef01234567"), "0123456789ab");
  EXPECT_EQ(readable_base("a-long-branch-name-of-more-than-forty-characters"),
            "a-long-branch-name-of-more-than-forty-characters");
}

TEST(ReadableTest, TheFirstLineSaysWhetherThereIsMore) {
  EXPECT_EQ(first_line("\n one \n", 20), "one");
  EXPECT_EQ(first_line("one\ntwo", 20), "one …");
  EXPECT_EQ(first_line("the quick brown fox", 19), "the quick brown fox");
  EXPECT_EQ(first_line("the quick brown fox", 18), "the quick brown …");
  EXPECT_EQ(first_line("a\x1b[31m\tb", 20), "a\tb");
  EXPECT_EQ(first_line(std::string(30, 'x'), 10), std::string(8, 'x') + " …");
  EXPECT_EQ(first_line("", 10), "");
}

TEST(Readable, APathAsAPersonWritesIt) {
  const std::string path = "TASK_EXECUTING#1/CODE_REVIEW#3";
  for (const char* written :
       {"CODE_REVIEW", "CODE_REVIEW#3", "TASK_EXECUTING#1/CODE_REVIEW#3",
        "TASK_EXECUTING#1/CODE_REVIEW", "CODE_REVIEW #3", "TASK_EXECUTING/CODE_REVIEW #3"}) {
    EXPECT_TRUE(means_path(written, path)) << written;
  }
  EXPECT_TRUE(means_path("PANEL#2[3]/A #3", "PANEL#2[3]/A#3"));
  EXPECT_FALSE(means_path("PANEL#2[3]/A #3", "PANEL#1[3]/A#3"));
  for (const char* written : {"", "REVIEW", "CODE_REVIEW#1", "TASK_EXECUTING", "#3"}) {
    EXPECT_FALSE(means_path(written, path)) << written;
  }
}

TEST(Readable, PathsAreOrderedByTheirNumbers) {
  const std::vector<std::string> ordered = {
      "CODING#2",        "CODING#10",          "PANEL#1",         "PANEL#1[1]/A#1",
      "PANEL#1[2]/A#1",  "PANEL#1[2]/A#1/B#1", "PANEL#1[9]/B#10", "PANEL#1[10]/A#1",
      "PANEL#1[12]/A#2", "PANEL#1[12]/A#11",   "PANEL#2[1]/A#1",  "PANEL_2#1"};
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    for (std::size_t j = 0; j < ordered.size(); ++j) {
      EXPECT_EQ(PathOrder()(ordered[i], ordered[j]), i < j) << ordered[i] << " " << ordered[j];
    }
  }
}

}  // namespace
}  // namespace agneto::ui
