#include "run/engine/worktrees.h"

#include <gmock/gmock.h>

#include "run/fakes.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;

class WorktreesTest : public ::testing::Test {
 protected:
  model::System system;
  FakeWorkspace own;
  std::map<std::string, std::string> left;
  Worktrees trees{system, own, left};
};

TEST_F(WorktreesTest, AFolderThatIsGoneIsMadeAsItWasLeftAndFurnishedOnce) {
  trees.leave("", "5");
  EXPECT_FALSE(trees.mend("")) << "it is there";
  own.there = false;
  EXPECT_TRUE(trees.mend(""));
  EXPECT_EQ(own.tree, 5);
  EXPECT_TRUE(trees.take_unfurnished(""));
  EXPECT_FALSE(trees.take_unfurnished(""));
  EXPECT_EQ(left, (std::map<std::string, std::string>{{"", "5"}}));
}

TEST_F(WorktreesTest, WhatIsUndoneIsKeptAndSaid) {
  own.tree = 7;
  own.there = false;
  EXPECT_THAT(trees.put_back("", "5"),
              ElementsAre(Worktrees::made_anew,
                          "what was changed in the worktree since the last checkpoint is undone, "
                          "and kept; to have it back: git diff --binary 5 refs/agneto/r/rescued-1 "
                          "| git apply"));
  EXPECT_EQ(own.tree, 5);
  EXPECT_THAT(trees.put_back("", "5"), ElementsAre()) << "nothing has changed since";
}

}  // namespace
}  // namespace agneto::run
