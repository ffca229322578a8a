// Bringing the run's branch into the user's: completely, or not at all and with the reason.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <thread>

#include "support/child.h"
#include "workspace/git.h"
#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MergeTest : public Throwaway {
 protected:
  MergeTest() : work(start()), path(work->path()) {
    write(path / "feature.txt", "feature\n");
    work->commit("Feature", "C#1");
    write(path / "greet.sh", "echo HELLO\n");
    work->commit("Shout", "C#2");
  }

  // Once no other merge is under way.
  static Result merge_of(Workspace& run, const MergeRequest& request) {
    Result outcome;
    do outcome = run.merge(request);
    while (outcome.kind == Result::Kind::busy);
    return outcome;
  }
  Result merge(const std::string& into = "", bool squash = true) {
    return merge_of(*work, {into, "Add a --shout flag", squash, "TASK_FINALIZING#1/MERGE#1"});
  }
  std::string log(const std::string& branch) const { return git("log --format=%s " + branch); }

  std::unique_ptr<Workspace> work;
  fs::path path;
};

TEST_F(MergeTest, SquashesIntoTheCheckedOutBaseBranchAndItsFiles) {
  write(repository / "notes.txt", "untracked, mine\n");
  const Result outcome = merge();
  EXPECT_EQ(outcome.message, "merged agneto/run1 into 'main'");
  EXPECT_EQ(outcome.kind, Result::Kind::ok);
  EXPECT_EQ(outcome.commit, git("rev-parse main"));
  EXPECT_EQ(git("log -1 --format=%B%an%n%P main"),
            "Add a --shout flag\n\nAgneto-Effect: run1/TASK_FINALIZING#1/MERGE#1\nAda\n" +
                git("rev-parse main~1"));
  EXPECT_EQ(log("main"), "Add a --shout flag\nFirst");
  EXPECT_EQ(log("agneto/run1"), "Shout\nFeature\nFirst");
  EXPECT_EQ(read(repository / "greet.sh"), "echo HELLO\n");
  EXPECT_EQ(read(repository / "feature.txt"), "feature\n");
  EXPECT_EQ(git("status --porcelain"), "?? notes.txt");
  EXPECT_EQ(git("reflog -1 --format=%gs"), "agneto merge agneto/run1: Fast-forward");
}

TEST_F(MergeTest, IsMadeOnce) {
  const std::string commit = merge().commit;
  write(repository / "later.txt", "later\n");
  git("add -A");
  git("commit --quiet -m Later");
  work = open(request());
  const Result again = merge();
  EXPECT_EQ(again.kind, Result::Kind::ok);
  EXPECT_EQ(again.commit, commit);
  EXPECT_EQ(again.message, "merged already");
  EXPECT_EQ(log("main"), "Later\nAdd a --shout flag\nFirst");
}

TEST_F(MergeTest, AnotherRunsMergeOfTheSamePathIsAnother) {
  merge();
  auto other = start("run2");
  write(other->path() / "second.txt", "second\n");
  other->commit("Second", "C#1");
  EXPECT_EQ(other->merge({"", "Again", true, "TASK_FINALIZING#1/MERGE#1"}).message,
            "merged agneto/run2 into 'main'");
  EXPECT_EQ(log("main"), "Again\nAdd a --shout flag\nFirst");
}

TEST_F(MergeTest, ABranchThatIsNotCheckedOutMovesWithoutTheCheckout) {
  git("branch side");
  const std::string head = git("rev-parse HEAD"), index = git("ls-files --stage");
  EXPECT_EQ(merge("side").message, "merged agneto/run1 into 'side'");
  EXPECT_EQ(log("side"), "Add a --shout flag\nFirst");
  EXPECT_EQ(git("show side:feature.txt"), "feature");
  EXPECT_EQ(git("rev-parse HEAD"), head);
  EXPECT_EQ(git("ls-files --stage"), index);
  EXPECT_EQ(git("status --porcelain"), "");
}

TEST_F(MergeTest, ABranchThatMovedOnIsMergedWith) {
  write(repository / "theirs.txt", "theirs\n");
  git("add -A");
  git("commit --quiet -m Theirs");
  EXPECT_EQ(merge().kind, Result::Kind::ok);
  EXPECT_EQ(log("main"), "Add a --shout flag\nTheirs\nFirst");
  EXPECT_EQ(read(repository / "theirs.txt"), "theirs\n");
  EXPECT_EQ(read(repository / "feature.txt"), "feature\n");
}

TEST_F(MergeTest, WithoutSquashTheCommitsAreKept) {
  const std::string main = git("rev-parse main"), branch = git("rev-parse agneto/run1");
  EXPECT_EQ(merge("", false).kind, Result::Kind::ok);
  EXPECT_EQ(git("log -1 --format=%P main"), main + " " + branch);
}

TEST_F(MergeTest, AConflictChangesNothingAndNamesTheFiles) {
  write(repository / "greet.sh", "echo goodbye\n");
  write(repository / "feature.txt", "another feature\n");
  git("add -A");
  git("commit --quiet -m Theirs");
  const std::string before = users_things();
  const Result outcome = merge();
  EXPECT_EQ(outcome.kind, Result::Kind::conflict);
  EXPECT_EQ(outcome.message,
            "agneto/run1 conflicts with 'main' in feature.txt, greet.sh; to do it yourself: git "
            "merge --squash agneto/run1");
  EXPECT_THAT(outcome.files, ElementsAre("feature.txt", "greet.sh"));
  EXPECT_EQ(users_things(), before);
  EXPECT_EQ(log("agneto/run1"), "Shout\nFeature\nFirst");
}

TEST_F(MergeTest, UncommittedChangesInTheCheckoutAreInTheWay) {
  write(repository / "docs/guide.md", "# My guide\n");
  const std::string before = users_things();
  const Result outcome = merge();
  EXPECT_EQ(outcome.kind, Result::Kind::failed);
  EXPECT_EQ(outcome.message,
            "'main' is checked out in " + repository.string() +
                " with uncommitted changes: docs/guide.md; commit or stash them, then git "
                "merge --squash agneto/run1");
  EXPECT_EQ(users_things(), before);
  git("stash --quiet");
  EXPECT_EQ(merge().kind, Result::Kind::ok);
}

TEST_F(MergeTest, WhatIsInTheWayIsKnownBefore) {
  EXPECT_EQ(obstacle_to_merge(repository, "main"), "");
  write(repository / "new.txt", "untracked\n");
  EXPECT_EQ(obstacle_to_merge(repository, "main"), "");
  write(repository / "docs/guide.md", "# My guide\n");
  const std::string before = users_things();
  EXPECT_EQ(obstacle_to_merge(repository, "main"),
            "'main' is checked out in " + repository.string() +
                " with uncommitted changes: docs/guide.md; commit or stash them before the run "
                "ends, or its work is not merged");
  EXPECT_EQ(users_things(), before);
  git("branch side");
  EXPECT_EQ(obstacle_to_merge(repository, "side"), "");
  git("tag v1");
  EXPECT_EQ(obstacle_to_merge(repository, "v1"),
            "'v1' is no branch, so the run's work is not merged into it");
}

TEST_F(MergeTest, ChangesToTheEnginesOwnFolderAreNot) {
  write(repository / ".agneto/config.yaml", "provider: codex\n");
  git("add .agneto/config.yaml");
  EXPECT_EQ(merge().message, "merged agneto/run1 into 'main'");
  EXPECT_EQ(git("status --porcelain"), "A  .agneto/config.yaml");
}

TEST_F(MergeTest, UnlessTheRunChangedTheSameFile) {
  write(repository / ".agneto/config.yaml", "provider: codex\n");
  git("add --force .agneto/config.yaml");
  git("commit --quiet -m Configure");
  auto other = start("run2");
  write(other->path() / ".agneto/config.yaml", "provider: claude\n");
  other->commit("Configure", "C#1");
  write(repository / ".agneto/config.yaml", "provider: claude\n");
  EXPECT_EQ(other->merge({"", "Configure", true, "M#1"}).message,
            "'main' is checked out in " + repository.string() +
                " with uncommitted changes: .agneto/config.yaml; commit or stash them, then git "
                "merge --squash agneto/run2");
  EXPECT_EQ(read(repository / ".agneto/config.yaml"), "provider: claude\n");
}

TEST_F(MergeTest, UntrackedFilesAreNotOverwritten) {
  write(repository / "feature.txt", "mine\n");
  const std::string before = users_things();
  const Result outcome = merge();
  EXPECT_EQ(outcome.kind, Result::Kind::failed);
  EXPECT_EQ(outcome.message,
            "untracked files in " + repository.string() +
                " would be overwritten: feature.txt; move them away, then git merge --squash "
                "agneto/run1");
  EXPECT_EQ(users_things(), before);
  EXPECT_EQ(read(repository / "feature.txt"), "mine\n");
}

TEST_F(MergeTest, NorAreIgnoredOnes) {
  write(repository / "secret.o", "mine\n");
  write(path / "secret.o", "theirs\n");
  git("add --force secret.o", path);
  work->commit("Object", "C#3");
  EXPECT_EQ(merge().kind, Result::Kind::failed);
  EXPECT_EQ(read(repository / "secret.o"), "mine\n");
  EXPECT_EQ(log("main"), "First");
}

TEST_F(MergeTest, NorAreThoseInAFolderThatItNeedsOrInTheWayOfOne) {
  write(path / "two\nlines", "new\n");
  write(path / "folder/file", "new\n");
  write(path / "docs.d", "new\n");
  fs::remove_all(path / "docs");
  write(path / "docs", "no folder any more\n");
  EXPECT_EQ(work->commit("Files", "C#3").message, "");
  write(repository / "two\nlines/mine", "mine\n");
  write(repository / "folder", "mine\n");
  write(repository / "docs.d/cache/mine.o", "ignored\n");
  write(repository / "docs/mine.txt", "mine\n");
  const std::string before = users_things();
  EXPECT_EQ(merge().message,
            "untracked files in " + repository.string() +
                " would be overwritten: docs.d/cache/mine.o, docs/mine.txt, folder, "
                "two\nlines/mine; move them away, then git merge --squash agneto/run1");
  EXPECT_EQ(users_things(), before);
  for (const char* mine : {"two\nlines", "folder", "docs.d", "docs/mine.txt"}) {
    fs::remove_all(repository / mine);
  }
  EXPECT_EQ(merge().message, "merged agneto/run1 into 'main'");
  EXPECT_EQ(read(repository / "docs"), "no folder any more\n");
  EXPECT_EQ(git("status --porcelain"), "");
}

TEST_F(MergeTest, WhatALinkLeadsToIsNotInTheWayOfAFolder) {
  fs::create_directory_symlink("docs", path / "guides");
  work->commit("Link", "C#3");
  EXPECT_EQ(merge().kind, Result::Kind::ok);
  auto other = start("run2");
  fs::remove(other->path() / "guides");
  write(other->path() / "guides/guide.md", "# Another guide\n");
  other->commit("Folder", "C#1");
  EXPECT_EQ(other->merge({"", "Folder", true, "M#1"}).message, "merged agneto/run2 into 'main'");
  EXPECT_EQ(read(repository / "docs/guide.md"), "# Guide\n");
}

TEST_F(MergeTest, WhatOtherMergesIntoTheBranchAreToDoBesidesIsNotDone) {
  for (const char* option : {"--squash", "--strategy=ours"}) {
    process::capture({"git", "config", "branch.main.mergeOptions", option}, repository);
    write(path / option, "new\n");
    work->commit("More", std::string("C#") + option);
    const Result outcome = work->merge({"", "Merge", true, std::string("M#") + option});
    EXPECT_EQ(outcome.commit, git("rev-parse main")) << outcome.message;
    EXPECT_EQ(git("status --porcelain"), "");
    EXPECT_TRUE(fs::exists(repository / option));
  }
}

TEST_F(MergeTest, ABranchThatMovesMeanwhileIsMergedWith) {
  git("checkout --quiet -b side");
  write(repository / "greet.sh", "echo hi\n");
  git("commit --quiet -a -m Hi");
  git("checkout --quiet main");
  const std::string moved = git("commit-tree side^{tree} -p side -m Moved");
  write(repository / ".git/info/attributes", "greet.sh merge=mover\n");
  process::capture({"git", "config", "merge.mover.driver",
                    "git update-ref refs/heads/side " + moved + "; cp %B %A"},
                   repository);
  EXPECT_EQ(merge("side").message, "merged agneto/run1 into 'side'");
  EXPECT_EQ(log("side"), "Add a --shout flag\nMoved\nHi\nFirst");
}

TEST_F(MergeTest, NothingToMergeIsFine) {
  git("merge --quiet --squash agneto/run1");
  git("commit --quiet -m Mine");
  const Result outcome = merge();
  EXPECT_EQ(outcome.kind, Result::Kind::ok);
  EXPECT_EQ(outcome.message, "nothing to merge");
  EXPECT_EQ(outcome.commit, "");
  EXPECT_EQ(log("main"), "Mine\nFirst");
}

TEST_F(MergeTest, ARunFromADetachedHeadHasNoBranchToMergeInto) {
  git("checkout --quiet --detach");
  auto other = start("run2");
  EXPECT_EQ(other->base(), git("rev-parse HEAD"));
  write(other->path() / "a.txt", "a\n");
  other->commit("A", "C#1");
  const Result outcome = other->merge({"", "Merge", true, "M#1"});
  EXPECT_EQ(outcome.kind, Result::Kind::failed);
  EXPECT_EQ(outcome.message,
            "the run did not start from a branch, so it has none to merge into; to do it yourself: "
            "git merge --squash agneto/run2");
  EXPECT_EQ(other->merge({"main", "Merge", true, "M#1"}).message, "merged agneto/run2 into 'main'");
}

TEST_F(MergeTest, AnUnknownTargetHasASuggestion) {
  const Result outcome = merge("mian");
  EXPECT_EQ(outcome.kind, Result::Kind::failed);
  EXPECT_EQ(outcome.message, "there is no branch 'mian' to merge into; did you mean 'main'?");
}

TEST_F(MergeTest, ABranchBeingRebasedIsLeftAlone) {
  write(repository / "greet.sh", "echo goodbye\n");
  git("commit --quiet -a -m Theirs");
  git("branch side HEAD~1");
  git("checkout --quiet side");
  write(repository / "greet.sh", "echo hi\n");
  git("commit --quiet -a -m Side");
  git("checkout --quiet main");
  process::capture({"git", "rebase", "side"}, repository);
  const std::string tip = git("rev-parse main");
  write(path / "greet.sh", "echo hello\n");
  work->commit("Back", "C#3");
  EXPECT_EQ(merge().message,
            "branch 'main' is being rebased; finish that, then git merge --squash agneto/run1");
  EXPECT_EQ(obstacle_to_merge(repository, "main"),
            "branch 'main' is being rebased; finish that before the run ends, or its work is not "
            "merged");
  EXPECT_EQ(git("rev-parse main"), tip);
}

TEST_F(MergeTest, AnotherWorktreeOfTheUsersFollowsItsBranch) {
  git("worktree add --quiet -b side " + (root / "side").string());
  EXPECT_EQ(merge("side").kind, Result::Kind::ok);
  EXPECT_EQ(read(root / "side/feature.txt"), "feature\n");
  EXPECT_EQ(git("status --porcelain", root / "side"), "");
  write(root / "side/feature.txt", "dirty\n");
  fs::remove_all(root / "side");
  write(path / "more.txt", "more\n");
  work->commit("More", "C#3");
  EXPECT_EQ(work->merge({"side", "More", true, "M#2"}).message, "merged agneto/run1 into 'side'");
}

TEST_F(MergeTest, ALockThatIsNotReleasedIsNamed) {
  write(repository / ".git/index.lock", "");
  try {
    merge();
    ADD_FAILURE() << "that is no outcome of a merge";
  } catch (const CutOff& error) {
    EXPECT_THAT(error.what(), HasSubstr(".git/index.lock': File exists"));
    EXPECT_EQ(error.help(),
              "wait until who holds that lock has ended; where that was killed, remove the file");
  }
  EXPECT_EQ(log("main"), "First");
  EXPECT_EQ(git("status --porcelain --untracked-files=no"), "");
  EXPECT_TRUE(fs::remove(repository / ".git/index.lock")) << "it is somebody else's";
  EXPECT_EQ(merge().kind, Result::Kind::ok);
}

TEST_F(MergeTest, RunsThatMergeAtTheSameMomentAreAllMerged) {
  std::vector<std::unique_ptr<Workspace>> runs;
  for (const std::string name : {"a", "b", "c"}) {
    runs.push_back(start("run-" + name));
    write(runs.back()->path() / ("own." + name), name);
    runs.back()->commit("Own", "C#1");
  }
  std::vector<Result> outcomes(runs.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < runs.size(); ++i)
      threads.emplace_back([&, i] { outcomes[i] = merge_of(*runs[i], {"", "Own", true, "M#1"}); });
  }
  for (const Result& outcome : outcomes)
    EXPECT_EQ(outcome.kind, Result::Kind::ok) << outcome.message;
  EXPECT_EQ(git("status --porcelain"), "");
  EXPECT_EQ(log("main"), "Own\nOwn\nOwn\nFirst");
  for (const std::string name : {"a", "b", "c"})
    EXPECT_EQ(read(repository / ("own." + name)), name);
}

TEST_F(MergeTest, WhileAnotherMergesNothingIsDone) {
  const int other = ::open((repository / ".git/agneto-merge.lock").c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  const std::string before = users_things();
  const Result outcome = work->merge({"", "Add a --shout flag", true, "M#1"});
  EXPECT_EQ(outcome.kind, Result::Kind::busy);
  EXPECT_EQ(outcome.message, "another merge is under way");
  EXPECT_EQ(users_things(), before);
  ::close(other);
  EXPECT_EQ(merge().kind, Result::Kind::ok);
}

// A merge in which git cannot go on: what it does when it comes to the file `stop` is up to the
// test.
class CutOffMergeTest : public MergeTest {
 protected:
  CutOffMergeTest() {
    write(repository / ".git/info/attributes", "/stop filter=stop\n");
    set("clean", "cat");
    set("smudge", "cat");
    git("config filter.stop.required true");
    fs::remove(path / "docs/guide.md");
    write(path / "new/file.txt", "new\n");
    write(path / "stop", "whole\n");
    write(path / "zeal.txt", "after it\n");
    EXPECT_EQ(work->commit("Change everything", "C#3").message, "");
    write(repository / "mine.txt", "mine\n");
    before = users_things();
  }
  void set(const std::string& kind, const std::string& command) {
    process::capture({"git", "config", "filter.stop." + kind, command}, repository);
  }
  // Merges in a process that the filter can kill; returns when that is gone.
  void merge_elsewhere() {
    const pid_t child = testing::start_child([this] {
      setenv("ENGINE", std::to_string(::getpid()).c_str(), 1);
      merge();
    });
    EXPECT_EQ(testing::wait_for(child), -1) << "it was not killed";
  }
  void expect_merged() {
    const Result outcome = merge();
    EXPECT_EQ(outcome.kind, Result::Kind::ok) << outcome.message;
    EXPECT_EQ(git("status --porcelain"), "?? mine.txt");
    EXPECT_EQ(log("main"), "Add a --shout flag\nFirst");
    EXPECT_EQ(read(repository / "stop"), "whole\n");
    EXPECT_EQ(read(repository / "new/file.txt"), "new\n");
    EXPECT_FALSE(fs::exists(repository / "docs"));
  }
  std::string before;
};

TEST_F(CutOffMergeTest, WhatGitCouldNotFinishIsTakenBack) {
  set("smudge", "exit 1");
  const Result outcome = merge();
  EXPECT_EQ(outcome.kind, Result::Kind::failed);
  EXPECT_THAT(outcome.message, HasSubstr("smudge filter stop failed"));
  set("smudge", "cat");
  EXPECT_EQ(users_things(), before);
  EXPECT_EQ(read(repository / "docs/guide.md"), "# Guide\n");
  expect_merged();
}

TEST_F(CutOffMergeTest, WhereTheBranchMovesMeanwhileItIsMadeAnew) {
  const std::string moved = git("commit-tree main^{tree} -p main -m Moved");
  set("smudge", "test -e " + (root / "moved").string() + " || git update-ref refs/heads/main " +
                    moved + "; touch " + (root / "moved").string() + "; cat");
  const Result outcome = merge();
  EXPECT_EQ(outcome.message, "merged agneto/run1 into 'main'");
  EXPECT_EQ(log("main"), "Add a --shout flag\nMoved\nFirst");
  EXPECT_EQ(git("status --porcelain"), "?? mine.txt");
}

TEST_F(CutOffMergeTest, AKilledGitLeavesNothing) {
  set("smudge", "kill -9 $PPID");
  EXPECT_THROW(merge(), CutOff);
  set("smudge", "cat");
  EXPECT_EQ(users_things(), before);
  expect_merged();
}

TEST_F(CutOffMergeTest, WhatIsLeftWhereAllIsKilledIsTakenBackByTheNextMerge) {
  set("smudge", "kill -9 $ENGINE $PPID");
  merge_elsewhere();
  set("smudge", "cat");
  EXPECT_NE(users_things(), before);
  EXPECT_TRUE(fs::exists(repository / ".git/index.lock"));
  expect_merged();
}

TEST_F(CutOffMergeTest, AGitThatOutlivesItsEngineIsWaitedFor) {
  set("smudge", "kill -9 $ENGINE; while kill -0 $ENGINE; do :; done 2>/dev/null; cat");
  merge_elsewhere();
  set("smudge", "cat");
  const Result outcome = merge();
  EXPECT_EQ(outcome.message, "merged already");
  expect_merged();
}

TEST_F(CutOffMergeTest, WhatAPersonMadeOfItMeanwhileStays) {
  set("smudge", "kill -9 $ENGINE $PPID");
  merge_elsewhere();
  set("smudge", "cat");
  write(repository / "new/file.txt", "new, and mine\n");
  EXPECT_EQ(merge().message, "untracked files in " + repository.string() +
                                 " would be overwritten: new/file.txt; move them away, then git "
                                 "merge --squash agneto/run1");
  EXPECT_EQ(read(repository / "new/file.txt"), "new, and mine\n");
  EXPECT_EQ(read(repository / "docs/guide.md"), "# Guide\n");
  EXPECT_EQ(read(repository / "greet.sh"), "echo hello\n");
  fs::remove_all(repository / "new");
  expect_merged();
}

TEST_F(MergeTest, WorksFromInsideAHookOfTheUsers) {
  setenv("GIT_DIR", (repository / ".git").c_str(), 1);
  setenv("GIT_INDEX_FILE", (repository / ".git/index").c_str(), 1);
  setenv("GIT_WORK_TREE", repository.c_str(), 1);
  const auto other = start("run2");
  EXPECT_EQ(std::getenv("GIT_INDEX_FILE"), nullptr);
  write(other->path() / "a.txt", "a\n");
  EXPECT_THAT(other->since_base().files, ElementsAre("a.txt"));
  EXPECT_EQ(git("status --porcelain"), "");
}

}  // namespace
}  // namespace agneto::workspace
