#include "ui/ending.h"

#include <gtest/gtest.h>

namespace agneto::ui {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

using Status = model::FinalStatus;

RunEnding ending(Status status, Json outputs) {
  return {{"DONE", status, std::move(outputs), "", "agneto/r", "main", {}, Millis(0)},
          {"git log -p main..agneto/r", false, {}}};
}

TEST(EndingTest, TheHeadlineSaysWhy) {
  EXPECT_EQ(headline(ending(Status::complete, nullptr)).render(false), "DONE (complete)");
  EXPECT_EQ(headline(ending(Status::failed, {{"reason", "no plan"}})).render(false),
            "DONE (failed): no plan");
  RunEnding engines = ending(Status::failed, {{"reason", "the workflow's"}});
  engines.run.reason = "the engine's";
  EXPECT_EQ(headline(engines).render(false), "DONE (failed): the engine's");
  EXPECT_EQ(headline(ending(Status::complete, {{"reason", "a conflict"}}), true).render(false),
            "DONE (complete), not merged: see above");
}

TEST(EndingTest, ABranchIsMergedOrToBeLookedAt) {
  EXPECT_EQ(
      facts(ending(Status::complete, {{"merged", true}, {"commit", "c1"}, {"summary", "Shout"}})),
      (Facts{{"summary", "Shout"}, {"merged", "agneto/r into main"}}));
  EXPECT_EQ(
      facts(ending(Status::complete, {{"merged", false}})),
      (Facts{{"look", "git log -p main..agneto/r"}, {"merge", "git merge --squash agneto/r"}}));
  EXPECT_EQ(facts(ending(Status::failed, nullptr)), (Facts{{"look", "git log -p main..agneto/r"}}));
}

TEST(EndingTest, ABranchIsMergedAlsoWhereNoOutputSaysSo) {
  RunEnding merged = ending(Status::complete, nullptr);
  merged.work.merged = true;
  EXPECT_EQ(facts(merged), (Facts{{"merged", "agneto/r into main"}}));
}

TEST(EndingTest, WithoutCommitsThereIsNothingToLookAt) {
  RunEnding empty = ending(Status::complete, nullptr);
  empty.work.log_command.clear();
  EXPECT_EQ(facts(empty), Facts{});
}

TEST(EndingTest, WithoutARepositoryAllOutputsAreItsOwn) {
  RunEnding plain = ending(Status::complete, {{"label", "bug"}, {"merged", true}, {"empty", ""}});
  plain.run.branch.clear();
  plain.work.log_command.clear();
  EXPECT_EQ(facts(plain), (Facts{{"label", "bug"}, {"merged", "true"}}));
}

TEST(EndingTest, WhatWasUndoneAndKeptIsNamed) {
  RunEnding aborted = ending(Status::aborted, nullptr);
  aborted.work = {"", false, {"git diff refs/agneto/r/rescued-1^ refs/agneto/r/rescued-1"}};
  EXPECT_EQ(facts(aborted),
            (Facts{{"kept", "git diff refs/agneto/r/rescued-1^ refs/agneto/r/rescued-1"}}));
}

TEST(EndingTest, WhatIsLeftInTheWorktreeIsNamedHoweverARunHasEnded) {
  for (const Status status : {Status::aborted, Status::failed, Status::complete}) {
    RunEnding run = ending(status, nullptr);
    run.work = {"", false, {}, "a.txt in /w/r"};
    EXPECT_EQ(facts(run), (Facts{{"left", "a.txt in /w/r, not committed"}}));
  }
}

}  // namespace
}  // namespace agneto::ui
