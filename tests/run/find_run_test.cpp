// Which run a person means.
#include <gtest/gtest.h>

#include "run/assembly.h"
#include "support/errors.h"

namespace agneto::run {
namespace {

using testing::error_of;

std::string found(const std::vector<std::string>& ids, const std::string& wanted) {
  std::string id;
  const std::string error = error_of([&] { id = find_run(ids, wanted); });
  return error.empty() ? id : error;
}

TEST(FindRun, TakesAnIdItsBeginningOrTheNewest) {
  const std::vector<std::string> ids = {"say-b2", "say-a1", "fix-c3", "fix"};
  EXPECT_EQ(found(ids, "say-a1"), "say-a1");
  EXPECT_EQ(found(ids, "say-a"), "say-a1");
  EXPECT_EQ(found(ids, "fix"), "fix");
  EXPECT_EQ(found(ids, "last"), "say-b2");
}

TEST(FindRun, SaysWhatThereIsInstead) {
  const std::vector<std::string> ids = {"say-b2", "say-a1", "fix-c3"};
  EXPECT_EQ(found(ids, "say"), "several runs start with 'say'\nname one of say-b2, say-a1");
  EXPECT_EQ(found(ids, "fix-c4"),
            "there is no run 'fix-c4' here\ndid you mean 'fix-c3'?; see 'agneto runs'");
  EXPECT_EQ(found(ids, "other"),
            "there is no run 'other' here\nknown runs: say-b2, say-a1, fix-c3; see 'agneto runs'");
  for (const char* wanted : {"last", "say"}) {
    EXPECT_EQ(found({}, wanted), "there are no runs here\nstart one with 'agneto run TASK'");
  }
}

}  // namespace
}  // namespace agneto::run
