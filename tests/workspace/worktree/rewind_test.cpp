// A run's files as they were at an earlier moment: in place, or as those of another run.
#include <gmock/gmock.h>

#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

class Rewind : public Throwaway {
 protected:
  Rewind() {
    work = start();
    tree = work->path();
    write(tree / "greet.sh", "echo one\n");
    work->commit("One", "run1/ONE#1");
    write(tree / "new.txt", "not committed\n");
    then = work->checkpoint("then");
    write(tree / "greet.sh", "echo two\n");
    work->commit("Two", "run1/TWO#1");
  }
  std::string subjects(const std::string& branch = "agneto/run1") {
    return git("log --format=%s --reverse " + branch);
  }
  std::unique_ptr<Workspace> work;
  fs::path tree;
  std::string then;
};

TEST_F(Rewind, TakesTreeAndBranchBackAndKeepsWhatWasThere) {
  write(tree / "mine.txt", "a person's\n");
  EXPECT_THAT(work->rewind(then), ElementsAre("refs/agneto/run1/rescued-1"));
  EXPECT_EQ(subjects(), "First\nOne");
  EXPECT_EQ(read(tree / "greet.sh"), "echo one\n");
  EXPECT_EQ(read(tree / "new.txt"), "not committed\n");
  EXPECT_FALSE(fs::exists(tree / "mine.txt"));
  EXPECT_EQ(git("show refs/agneto/run1/rescued-1:mine.txt"), "a person's");
  EXPECT_EQ(git("show refs/agneto/run1/rescued-1:greet.sh"), "echo two");
  EXPECT_EQ(work->checkpoint("again"), then);
}

TEST_F(Rewind, DoneAgainItChangesNothing) {
  work->rewind(then);
  EXPECT_THAT(open(request())->rewind(then), IsEmpty());
  EXPECT_EQ(work->checkpoint("again"), then);
}

TEST_F(Rewind, WhatIsKeptIsNotOverwritten) {
  for (const char* text : {"1", "2", "3"}) {
    write(tree / "mine.txt", text);
    if (text == std::string("3")) git("update-ref -d refs/agneto/run1/rescued-1");
    work->rewind(then);
  }
  EXPECT_EQ(git("show refs/agneto/run1/rescued-2:mine.txt"), "2");
  EXPECT_EQ(git("show refs/agneto/run1/rescued-3:mine.txt"), "3");
}

TEST_F(Rewind, WithoutACheckpointIsWhereTheRunBegan) {
  EXPECT_THAT(work->rewind(""), ElementsAre("refs/agneto/run1/rescued-1"));
  EXPECT_EQ(subjects(), "First");
  EXPECT_EQ(read(tree / "greet.sh"), "echo hello\n");
  EXPECT_FALSE(fs::exists(tree / "new.txt"));
  EXPECT_THAT(work->rewind(""), IsEmpty());
}

TEST_F(Rewind, WhatWasCommittedSinceIsNotDoneAnyMore) {
  work->rewind(then);
  write(tree / "greet.sh", "echo other\n");
  EXPECT_EQ(work->commit("Two again", "run1/TWO#1").message, "");
  EXPECT_EQ(subjects(), "First\nOne\nTwo again");
}

TEST_F(Rewind, BringsADeletedWorktreeBack) {
  fs::remove_all(tree);
  work = open(request());
  work->rewind(then);
  EXPECT_EQ(read(tree / "new.txt"), "not committed\n");
  EXPECT_EQ(git("show refs/agneto/run1/rescued-1:greet.sh"), "echo two");
}

TEST_F(Rewind, TakesForksDownAndKeepsTheirWork) {
  const auto fork = work->fork("PANEL#1[2]");
  write(fork->path() / "item.txt", "an item's\n");
  EXPECT_EQ(work->rewind(then).size(), 2u);
  EXPECT_FALSE(fs::exists(fork->path()));
  EXPECT_EQ(git("show refs/agneto/run1/rescued-1:item.txt"), "an item's");
  EXPECT_EQ(git("for-each-ref --format=%(refname) refs/heads/agneto"), "refs/heads/agneto/run1");
  EXPECT_EQ(git("for-each-ref refs/agneto/run1.PANEL.1.2"), "");
}

TEST_F(Rewind, CommitsOfTheEngineAndOfAgentsAreTheRunsOwn) {
  EXPECT_THAT(work->foreign_commits(), IsEmpty());
  git("commit --quiet --allow-empty -m Agent", tree);
  work->checkpoint("after the agent's call");
  EXPECT_THAT(work->foreign_commits(), IsEmpty());
  git("commit --quiet --allow-empty -m Mine", tree);
  EXPECT_THAT(work->foreign_commits(), ElementsAre(MatchesRegex("[0-9a-f]+ Mine")));
}

TEST_F(Rewind, ACopyHasTheBaseAndTheCheckpointsAndNothingElse) {
  const std::string before = git("for-each-ref refs/agneto/run1 refs/heads/agneto/run1");
  const auto other = copy(request(), request("run2"));
  EXPECT_EQ(other->branch(), "agneto/run2");
  EXPECT_EQ(other->base(), "main");
  EXPECT_EQ(subjects("agneto/run2"), "First");
  other->restore(then);
  EXPECT_EQ(subjects("agneto/run2"), "First\nOne");
  EXPECT_EQ(read(other->path() / "new.txt"), "not committed\n");
  EXPECT_THAT(other->rewind(then), IsEmpty());
  EXPECT_EQ(git("for-each-ref refs/agneto/run1 refs/heads/agneto/run1"), before);
  EXPECT_EQ(read(tree / "greet.sh"), "echo two\n");
}

TEST_F(Rewind, ACopyOfNothingIsRefused) {
  try {
    copy(request("run9"), request("run2"));
    ADD_FAILURE() << "copied";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), repository.string() + ": this repository knows no run 'run9'");
  }
}

}  // namespace
}  // namespace agneto::workspace
