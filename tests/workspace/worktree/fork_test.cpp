// Parts of the work in worktrees of their own: what they start with, and how they come back.
#include <gmock/gmock.h>

#include "workspace/refs.h"
#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ForkTest : public Throwaway {
 protected:
  ForkTest() : before(users_things()), work(start()), path(work->path()) {
    write(path / "lines.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    work->commit("Lines", "run1/C#1");
  }

  std::string status(const fs::path& folder) const {
    return git("status --porcelain --untracked-files=all", folder);
  }
  std::vector<Conflict> join(const std::vector<std::string>& wanted,
                             const std::vector<std::string>& forks = {one, two, three}) {
    return work->join({forks, wanted, {}, "run1/PANEL#1"}).conflicts;
  }
  // The refs of forks that are there.
  std::string forks() const {
    return git("for-each-ref --format=%(refname) refs/heads/agneto/run1.* refs/agneto/run1.*/**");
  }
  bool exists(const std::string& item) const {
    return fs::exists(repository / ".agneto/worktrees" / ("run1." + item));
  }

  static constexpr const char* one = "PANEL#1[1]";
  static constexpr const char* two = "PANEL#1[2]";
  static constexpr const char* three = "PANEL#1[3]";
  std::string before;
  std::unique_ptr<Workspace> work;
  fs::path path;
};

TEST_F(ForkTest, StartsWithTheTreeAsItIs) {
  write(path / "greet.sh", "echo changed\n");
  write(path / "new/draft.txt", "draft\n");
  write(path / "cache/kept", "ignored\n");
  fs::remove(path / "docs/guide.md");
  const std::string head = git("rev-parse agneto/run1");
  const auto fork = work->fork(one);
  EXPECT_EQ(fork->path(), repository / ".agneto/worktrees/run1.PANEL.1.1");
  EXPECT_EQ(fork->branch(), "agneto/run1.PANEL.1.1");
  EXPECT_EQ(read(fork->path() / "greet.sh"), "echo changed\n");
  EXPECT_EQ(read(fork->path() / "new/draft.txt"), "draft\n");
  EXPECT_FALSE(fs::exists(fork->path() / "docs/guide.md"));
  EXPECT_FALSE(fs::exists(fork->path() / "cache"));
  EXPECT_EQ(status(fork->path()), "");
  EXPECT_THAT(fork->since_base().files, IsEmpty());
  EXPECT_EQ(git("rev-parse agneto/run1"), head);
  EXPECT_EQ(users_things(), before);
}

TEST_F(ForkTest, IsTheSameAgainForTheSameLabel) {
  write(work->fork(one)->path() / "mine.txt", "mine\n");
  write(path / "later.txt", "later\n");
  const auto again = work->fork(one);
  EXPECT_EQ(read(again->path() / "mine.txt"), "mine\n");
  EXPECT_FALSE(fs::exists(again->path() / "later.txt"));
  EXPECT_TRUE(fs::exists(work->fork(two)->path() / "later.txt"));
}

TEST_F(ForkTest, IsMadeAnewWhereItsMakingWasCutOff) {
  const Refs refs("run1.PANEL.1.1");
  for (const auto& left :
       {std::vector<std::string>{refs.base}, {refs.base, refs.last}, {refs.full_branch}}) {
    for (const std::string& ref : left) git("update-ref " + ref + " main");
    write(path / "new.txt", "new\n");
    const auto fork = work->fork(one);
    EXPECT_EQ(fork->branch(), "agneto/run1.PANEL.1.1");
    EXPECT_EQ(read(fork->path() / "new.txt"), "new\n");
    remove({repository, fork->path(), "run1.PANEL.1.1", ""});
    EXPECT_EQ(forks(), "");
  }
}

TEST_F(ForkTest, GoesBackToItsStart) {
  write(path / "new.txt", "new\n");
  const auto fork = work->fork(one);
  write(fork->path() / "new.txt", "newer\n");
  write(fork->path() / "more.txt", "more\n");
  EXPECT_EQ(fork->discard("run1/PANEL#1[1]/D#1").kind, Result::Kind::ok);
  EXPECT_EQ(read(fork->path() / "new.txt"), "new\n");
  EXPECT_FALSE(fs::exists(fork->path() / "more.txt"));
}

TEST_F(ForkTest, JoinNamesConflictsWhateverTheUsersLogIsWrittenIn) {
  git("config i18n.logOutputEncoding ISO-8859-1");
  write(work->fork(one)->path() / "größe.txt", "one\n");
  write(work->fork(two)->path() / "größe.txt", "two\n");
  const auto conflicts = join({one, two});
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_THAT(conflicts[0].files, ElementsAre("größe.txt"));
}

TEST_F(ForkTest, JoinBringsInWhatEachChanged) {
  write(path / "draft.txt", "draft\n");
  const std::string head = git("rev-parse agneto/run1");
  const auto first = work->fork(one), second = work->fork(two);
  write(first->path() / "lines.txt", "one\n2\n3\n4\n5\n6\n7\n8\n9\n");
  first->commit("First", "run1/PANEL#1[1]/C#1");
  write(first->path() / "first.txt", "first\n");
  write(second->path() / "lines.txt", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n");
  fs::remove(second->path() / "greet.sh");
  fs::permissions(second->path() / "docs/guide.md", fs::perms::owner_exec, fs::perm_options::add);

  EXPECT_THAT(join({one, two}, {one, two}), IsEmpty());

  EXPECT_EQ(read(path / "lines.txt"), "one\n2\n3\n4\n5\n6\n7\n8\nnine\n");
  EXPECT_EQ(status(path),
            " M docs/guide.md\n D greet.sh\n M lines.txt\n?? draft.txt\n?? first.txt");
  EXPECT_EQ(git("rev-parse agneto/run1"), head);
  EXPECT_EQ(forks(), "");
  EXPECT_FALSE(exists("PANEL.1.1"));
  EXPECT_FALSE(exists("PANEL.1.2"));
  EXPECT_EQ(git("worktree list --porcelain").find("PANEL"), std::string::npos);
  EXPECT_EQ(users_things(), before);
}

TEST_F(ForkTest, JoinTakesNothingOfWhatIsNotWanted) {
  write(work->fork(one)->path() / "first.txt", "first\n");
  write(work->fork(two)->path() / "second.txt", "second\n");
  EXPECT_THAT(join({two}, {one, two}), IsEmpty());
  EXPECT_EQ(status(path), "?? second.txt");
  EXPECT_EQ(forks(), "");
}

// Also where the join is made again, since it was not recorded.
TEST_F(ForkTest, JoinSaysWhoHasChangedNothing) {
  write(work->fork(one)->path() / "first.txt", "first\n");
  const auto second = work->fork(two);
  write(second->path() / "cache/a", "ignored\n");
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(work->join({{one, two}, {one, two}, {}, "run1/PANEL#1"}).unchanged,
                ElementsAre(two));
  }
}

TEST_F(ForkTest, JoinKeepsWhatHappenedMeanwhile) {
  write(work->fork(one)->path() / "lines.txt", "one\n2\n3\n4\n5\n6\n7\n8\n9\n");
  write(path / "lines.txt", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n");
  write(path / "cache/kept", "ignored\n");
  EXPECT_THAT(join({one}, {one}), IsEmpty());
  EXPECT_EQ(read(path / "lines.txt"), "one\n2\n3\n4\n5\n6\n7\n8\nnine\n");
  EXPECT_EQ(read(path / "cache/kept"), "ignored\n");
}

TEST_F(ForkTest, AConflictLeavesTheTreeCleanOfItAndItsBranchStays) {
  const auto first = work->fork(one), second = work->fork(two), third = work->fork(three);
  write(first->path() / "greet.sh", "echo one\n");
  write(second->path() / "greet.sh", "echo two\n");
  write(second->path() / "second.txt", "second\n");
  write(third->path() / "third.txt", "third\n");
  const std::string start = second->base();

  const std::vector<Conflict> conflicts = join({one, two, three});

  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts[0].fork, two);
  EXPECT_EQ(conflicts[0].branch, "agneto/run1.PANEL.1.2");
  EXPECT_THAT(conflicts[0].files, ElementsAre("greet.sh"));
  EXPECT_EQ(read(path / "greet.sh"), "echo one\n");
  EXPECT_EQ(status(path), " M greet.sh\n?? third.txt");
  EXPECT_EQ(forks(), "refs/heads/agneto/run1.PANEL.1.2");
  EXPECT_FALSE(exists("PANEL.1.2"));
  EXPECT_EQ(git("rev-parse agneto/run1.PANEL.1.2^"), start);
  EXPECT_EQ(git("log -1 --format=%s agneto/run1.PANEL.1.2"), "Work of PANEL#1[2]");
  EXPECT_EQ(git("diff --name-only agneto/run1.PANEL.1.2^ agneto/run1.PANEL.1.2"),
            "greet.sh\nsecond.txt");
}

// Cut off after the result was recorded: only the files are made again.
TEST_F(ForkTest, AJoinThatWasCutOffGoesOn) {
  const auto first = work->fork(one), second = work->fork(two);
  write(path / "draft.txt", "draft\n");
  write(first->path() / "greet.sh", "echo one\n");
  write(second->path() / "greet.sh", "echo two\n");
  ASSERT_EQ(join({one, two}, {one, two}).size(), 1U);
  write(path / "greet.sh", "echo hal");
  fs::remove(path / "draft.txt");
  write(path / "half.txt", "half\n");

  work = open(request());
  const std::vector<Conflict> again = join({one, two}, {one, two});

  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].fork, two);
  EXPECT_THAT(again[0].files, ElementsAre("greet.sh"));
  EXPECT_EQ(status(path), " M greet.sh\n?? draft.txt");
  EXPECT_EQ(read(path / "greet.sh"), "echo one\n");
  EXPECT_EQ(forks(), "refs/heads/agneto/run1.PANEL.1.2");
}

TEST_F(ForkTest, AJoinWhoseGitIsKilledWhileItRemovesTheForksGoesOn) {
  const auto first = work->fork(one);
  write(first->path() / "first.txt", "first\n");
  const std::string programs = getenv("PATH");
  write(root / "bin/git",
        "#!/bin/sh\ncase $* in *'update-ref --stdin'*) kill -9 $$ ;; esac\nPATH=" + programs +
            " exec git \"$@\"\n");
  fs::permissions(root / "bin/git", fs::perms::all);
  setenv("PATH", ((root / "bin").string() + ":" + programs).c_str(), 1);
  EXPECT_THROW(join({one}, {one}), CutOff);
  setenv("PATH", programs.c_str(), 1);

  work = open(request());
  EXPECT_THAT(join({one}, {one}), IsEmpty());
  EXPECT_EQ(read(path / "first.txt"), "first\n");
  EXPECT_EQ(forks(), "");
  EXPECT_FALSE(exists("PANEL.1.1"));
}

// Cut off between the recorded tree and the result: the tree is not read again.
TEST_F(ForkTest, AJoinThatHadNotMergedBeginsWithTheRecordedTree) {
  write(path / "draft.txt", "draft\n");
  const std::string then = work->checkpoint("here");
  write(work->fork(one)->path() / "first.txt", "first\n");
  git("update-ref refs/agneto/run1/checkpoints/run1+PANEL#1@x " + then);
  write(path / "half.txt", "half\n");
  EXPECT_THAT(join({one}, {one}), IsEmpty());
  EXPECT_EQ(status(path), "?? draft.txt\n?? first.txt");
}

TEST_F(ForkTest, AJoinThatIsNotWantedAnyMoreIsUndone) {
  write(path / "draft.txt", "draft\n");
  write(work->fork(one)->path() / "first.txt", "first\n");
  join({one}, {one, two});
  ASSERT_EQ(status(path), "?? draft.txt\n?? first.txt");
  EXPECT_THAT(join({}, {one, two}), IsEmpty());
  EXPECT_EQ(status(path), "?? draft.txt");
}

TEST_F(ForkTest, WhatWasInADeletedFolderComesFromItsCheckpoint) {
  auto first = work->fork(one), second = work->fork(two);
  write(first->path() / "first.txt", "first\n");
  const std::string then = first->checkpoint("PANEL#1[1]/A#1");
  write(second->path() / "second.txt", "second\n");
  fs::remove_all(first->path());
  fs::remove_all(second->path());
  EXPECT_THAT(work->join({{one, two}, {one, two}, {{one, then}}, "run1/PANEL#1"}).conflicts,
              IsEmpty());
  EXPECT_EQ(status(path), "?? first.txt");
}

TEST_F(ForkTest, DroppingForksLeavesTheTreeAlone) {
  write(work->fork(one)->path() / "first.txt", "first\n");
  write(path / "draft.txt", "draft\n");
  EXPECT_THAT(join({}, {one, two}), IsEmpty());
  EXPECT_EQ(status(path), "?? draft.txt");
  EXPECT_EQ(forks(), "");
  EXPECT_FALSE(exists("PANEL.1.1"));
}

TEST_F(ForkTest, AForkHasForksOfItsOwn) {
  const auto outer = work->fork(one);
  write(outer->path() / "outer.txt", "outer\n");
  const auto inner = outer->fork("EACH#1[2]");
  EXPECT_EQ(inner->branch(), "agneto/run1.PANEL.1.1.EACH.1.2");
  EXPECT_EQ(read(inner->path() / "outer.txt"), "outer\n");
  write(inner->path() / "inner.txt", "inner\n");
  EXPECT_THAT(outer->join({{"EACH#1[2]"}, {"EACH#1[2]"}, {}, "run1/PANEL#1[1]/EACH#1"}).conflicts,
              IsEmpty());
  EXPECT_EQ(status(path), "");
  EXPECT_THAT(join({one}, {one}), IsEmpty());
  EXPECT_EQ(status(path), "?? inner.txt\n?? outer.txt");
  EXPECT_EQ(forks(), "");
}

TEST_F(ForkTest, LongLabelsDoNotMeet) {
  const std::string deep = std::string(250, 'A') + "#1/";
  const auto first = work->fork(deep + "B#1[1]"), second = work->fork(deep + "B#1[2]");
  EXPECT_NE(first->path(), second->path());
  EXPECT_EQ(first->path().filename().string().size(), 180U);
}

TEST_F(ForkTest, AFolderWithoutARepositoryHasNone) {
  const std::string refused = root.string() + ": this run has no worktree";
  EXPECT_EQ(thrown([&] { plain(root)->fork(one); }), refused);
  EXPECT_EQ(thrown([&] { plain(root)->join({{one}, {one}, {}, "e"}); }), refused);
}

}  // namespace
}  // namespace agneto::workspace
