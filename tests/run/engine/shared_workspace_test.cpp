#include "run/engine/shared_workspace.h"

#include "run/fakes.h"

namespace agneto::run {
namespace {

TEST(SharedTree, GitIsAskedAgainOnlyAfterSomebodyMayHaveWritten) {
  FakeTree<> files;
  SharedTree tree(files, "/tree");
  EXPECT_EQ(tree.checkpoint("A#1"), "1");
  files.tree = 2;
  EXPECT_EQ(tree.checkpoint("B#1"), "1") << "nobody was said to have written";
  tree.touched();
  EXPECT_EQ(tree.checkpoint("C#1"), "2");
  tree.restore("1");
  EXPECT_EQ(tree.checkpoint("D#1"), "1");
}

TEST(SharedTree, UndoesWhatWasChangedAndAFolderThatIsGone) {
  FakeTree<> files;
  SharedTree tree(files, "/tree");
  EXPECT_FALSE(tree.undo_since("1"));
  EXPECT_EQ(files.restored, 0);
  files.tree = 2;
  tree.touched();
  EXPECT_EQ(tree.checkpoint("A#1"), "2");
  EXPECT_TRUE(tree.undo_since("1"));
  EXPECT_EQ(tree.checkpoint("B#1"), "1") << "it is another tree now";
  files.there = false;
  EXPECT_TRUE(tree.undo_since("1"));
  EXPECT_TRUE(tree.intact());
}

TEST(SharedWorkspace, WhatHasChangedIsKnownUntilSomebodyWrites) {
  struct Asked : FakeWorkspace {
    workspace::Changes since_base() override {
      return {"diff " + std::to_string(++times), {}, {}, {}};
    }
    int times = 0;
  } files;
  SharedWorkspace tree(files);
  EXPECT_EQ(tree.since_base().diff, "diff 1");
  tree.use([](workspace::Forks& forks) { forks.fork("A#1"); });
  EXPECT_EQ(tree.since_base().diff, "diff 1");
  tree.change([](workspace::Commits& commits) { commits.commit("done", "r/A#1"); });
  EXPECT_EQ(tree.since_base().diff, "diff 2");
}

}  // namespace
}  // namespace agneto::run
