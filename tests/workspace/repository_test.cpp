// Finding a repository, its home, and a base to start from.
#include <gmock/gmock.h>

#include "workspace/diff.h"
#include "workspace/git.h"
#include "workspace/history.h"
#include "workspace/refs.h"
#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

using ::testing::HasSubstr;

class RepositoryTest : public Throwaway {};

TEST_F(RepositoryTest, IsFoundFromAnyFolderInside) {
  EXPECT_EQ(find_repository(repository), repository);
  EXPECT_EQ(find_repository(repository / "docs"), repository);
}

TEST_F(RepositoryTest, ItsPathMayHaveALineEndInIt) {
  const fs::path moved = root / "two\nlines\n";
  fs::rename(repository, moved);
  repository = moved;
  EXPECT_EQ(find_repository(repository / "docs"), repository);
  auto work = start();
  write(work->path() / "a.txt", "a\n");
  EXPECT_EQ(work->put_right(), std::vector<std::string>());
  work->restore(work->checkpoint("A#1"));
  EXPECT_EQ(open(request())->commit("One", "C#1").files, std::vector<std::string>{"a.txt"});
  fs::create_directories(root / "no\ncommit");
  git("init --quiet", root / "no\ncommit");
  EXPECT_EQ(
      thrown([&] { find_repository(root / "no\ncommit"); }).find((root / "no\ncommit: ").string()),
      0u);
}

TEST_F(RepositoryTest, AnotherWorktreeOfTheUsersIsItsOwnTop) {
  git("worktree add --quiet -b side " + (root / "side").string());
  EXPECT_EQ(find_repository(root / "side"), root / "side");
}

TEST_F(RepositoryTest, WhatIsNoneSaysWhatToDo) {
  fs::create_directories(root / "empty");
  EXPECT_EQ(thrown([&] { find_repository(root / "empty"); }),
            (root / "empty").string() +
                ": not a git repository | go to your project's folder, or make this one a "
                "repository: git init && git add -A && git commit -m 'First commit'");
  EXPECT_EQ(thrown([&] { find_repository(root / "gone"); }),
            (root / "gone").string() + ": no such folder");
  write(root / "moved/.git", "gitdir: /nowhere\n");
  EXPECT_EQ(thrown([&] { find_repository(root / "moved"); }),
            (root / "moved").string() +
                ": git cannot use this repository: not a git repository: /nowhere");
}

TEST_F(RepositoryTest, OneWithoutCommitsSaysWhatToDo) {
  fs::create_directories(root / "fresh");
  git("init --quiet", root / "fresh");
  EXPECT_EQ(thrown([&] { find_repository(root / "fresh"); }),
            (root / "fresh").string() +
                ": the current branch has no commits yet | a run needs a commit to start from: "
                "git add -A && git commit -m 'First commit'");
}

TEST_F(RepositoryTest, ABareOneAndTheInsideOfGitAreRefused) {
  git("clone --quiet --bare . " + (root / "bare").string());
  EXPECT_EQ(thrown([&] { find_repository(root / "bare"); }),
            (root / "bare").string() +
                ": a bare repository has no files to work on | run agneto in a clone of it");
  EXPECT_EQ(thrown([&] { find_repository(repository / ".git/refs"); }),
            (repository / ".git/refs").string() +
                ": this is the inside of a .git folder | run agneto in the repository's working "
                "tree");
}

TEST_F(RepositoryTest, WithoutGitItSaysSo) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", root.c_str(), 1);
  EXPECT_EQ(thrown([&] { find_repository(repository); }),
            "git is not installed | install it, on Debian or Ubuntu: sudo apt install git");
  setenv("PATH", path.c_str(), 1);
}

TEST_F(RepositoryTest, TheHomeIgnoresWhatRunsLeaveAndNothingElse) {
  EXPECT_EQ(prepare_home(repository), repository / ".agneto");
  for (const char* file :
       {"runs.db", "runs.db-wal", "worktrees/run1/x", "worktrees/run1.lock", ".gitignore.17-0.tmp"})
    write(repository / ".agneto" / file, "");
  EXPECT_EQ(git("status --porcelain --untracked-files=all"), "");
  for (const char* file : {"agneto.lock", "config.yaml", "workflows/ours.yaml", "scripts/ours.lua"})
    write(repository / ".agneto" / file, "");
  EXPECT_EQ(git("status --porcelain --untracked-files=all"),
            "?? .agneto/agneto.lock\n?? .agneto/config.yaml\n?? .agneto/scripts/ours.lua\n?? "
            ".agneto/workflows/ours.yaml");
}

// Older versions left out agneto.lock, which is committed, with all locks.
TEST_F(RepositoryTest, AHomeOfAnOlderVersionIsToldWhatToIgnoreByNow) {
  write(repository / ".agneto/.gitignore", "# Written by agneto. And so on\n*.lock\n/mine\n");
  prepare_home(repository);
  prepare_home(repository);
  EXPECT_EQ(read(repository / ".agneto/.gitignore"),
            "# Written by agneto. And so on\n*.lock\n/mine\n!/agneto.lock\n/homes/\n");
}

TEST_F(RepositoryTest, AHomeThatThePersonChangedStaysSo) {
  write(repository / ".agneto/.gitignore", "*\n");
  prepare_home(repository);
  EXPECT_EQ(read(repository / ".agneto/.gitignore"), "*\n");
}

TEST_F(RepositoryTest, AHomeThatCannotBeMadeSaysWhy) {
  write(repository / ".agneto", "a file\n");
  EXPECT_EQ(thrown([&] { prepare_home(repository); }),
            (repository / ".agneto").string() +
                ": cannot make this folder: Not a directory | agneto keeps its journal and "
                "worktrees there");
}

TEST_F(RepositoryTest, StartsFromAnyBranchTagOrCommit) {
  git("branch side");
  git("tag v1");
  git("tag -a -m Annotated v2");
  write(repository / "greet.sh", "echo more\n");
  git("commit --quiet -a -m Second");
  const std::string first = git("rev-parse main~1");
  const std::string before = users_things();
  EXPECT_EQ(start("r1", "side")->base(), "side");
  EXPECT_EQ(start("r2", "v1")->base(), "v1");
  EXPECT_EQ(start("r3", "v2")->base(), "v2");
  EXPECT_EQ(start("r4", first.substr(0, 9))->base(), first);
  EXPECT_EQ(start("r5", "main~1")->base(), first);
  for (const char* run : {"r1", "r2", "r3", "r4", "r5"})
    EXPECT_EQ(git(std::string("rev-parse agneto/") + run), first) << run;
  EXPECT_EQ(open(request("r1"))->base(), "side");
  EXPECT_EQ(users_things(), before);
}

TEST_F(RepositoryTest, ABranchGoesBeforeATagOfItsName) {
  git("tag twin");
  write(repository / "greet.sh", "echo more\n");
  git("commit --quiet -a -m Second");
  git("branch twin");
  auto work = start("r1", "twin");
  EXPECT_EQ(work->base(), "twin");
  EXPECT_EQ(git("rev-parse agneto/r1"), git("rev-parse main"));
}

TEST_F(RepositoryTest, AnUnknownBaseHasASuggestionAndLeavesNothing) {
  git("branch feature/login");
  const std::string refs = git("for-each-ref");
  EXPECT_EQ(thrown([&] { start("r1", "feature/logn"); }),
            "there is no branch, tag or commit 'feature/logn' to start from | did you mean "
            "'feature/login'?");
  EXPECT_EQ(thrown([&] { start("r1", "greet.sh"); }),
            "there is no branch, tag or commit 'greet.sh' to start from | known branches: "
            "feature/login, main");
  EXPECT_EQ(thrown([&] { start("r1", "--all"); }),
            "there is no branch, tag or commit '--all' to start from | known branches: "
            "feature/login, main");
  EXPECT_EQ(git("for-each-ref"), refs);
  EXPECT_FALSE(fs::exists(repository / ".agneto/worktrees"));
}

TEST_F(RepositoryTest, ABranchCalledAgnetoStandsInTheWay) {
  git("branch agneto");
  EXPECT_THAT(thrown([&] { start("r1"); }),
              HasSubstr("cannot make branch 'agneto/r1': cannot lock ref 'refs/heads/agneto/r1'"));
  EXPECT_EQ(git("for-each-ref --format=%(refname)"), "refs/heads/agneto\nrefs/heads/main");
}

// Killed after its refs, before its worktree.
TEST_F(RepositoryTest, CreateFinishesWhatACutOffCreateBegan) {
  start("r1");
  git("worktree remove --force " + (repository / ".agneto/worktrees/r1").string());
  git("checkout --quiet -b later");
  auto work = create(request("r1"));
  EXPECT_EQ(work->base(), "main");
  EXPECT_EQ(read(work->path() / "greet.sh"), "echo hello\n");
}

TEST_F(RepositoryTest, ACheckoutThatWasCutOffIsMadeAnew) {
  auto work = start("r1");
  fs::remove(repository / ".git/worktrees/r1/index");
  write(repository / ".git/worktrees/r1/index.lock", "half");
  write(repository / ".git/worktrees/r1/locked", "initializing");
  fs::remove(work->path() / "greet.sh");
  work = open(request("r1"));
  EXPECT_EQ(git("status --porcelain", work->path()), "");
  EXPECT_EQ(read(work->path() / "greet.sh"), "echo hello\n");
}

TEST_F(RepositoryTest, AnUnknownRunIsSaidToBeUnknown) {
  EXPECT_EQ(thrown([&] { open(request("r9")); }),
            repository.string() +
                ": this repository knows no run 'r9' | its branch and refs were removed, as by "
                "'agneto clean --force'; start a new run, and end this one: agneto abort r9");
}

TEST_F(RepositoryTest, CommittedSettingsInTheWorktreeAreFine) {
  write(repository / ".agneto/config.yaml", "provider: codex\n");
  git("add -A");
  git("commit --quiet -m Settings");
  auto work = start("r1");
  EXPECT_EQ(read(work->path() / ".agneto/config.yaml"), "provider: codex\n");
  EXPECT_EQ(work->since_base().files.size(), 0u);
}

TEST_F(RepositoryTest, SubmodulesStayAsTheyAre) {
  git("clone --quiet . " + (root / "library").string());
  git("-c protocol.file.allow=always submodule --quiet add " + (root / "library").string() +
      " lib");
  git("commit --quiet -m Library");
  auto work = start("r1");
  const std::string id = work->checkpoint("A#1");
  write(work->path() / "a.txt", "a\n");
  EXPECT_EQ(work->commit("A", "C#1").files, std::vector<std::string>{"a.txt"});
  work->restore(id);
  EXPECT_FALSE(work->changed_since(id));
  EXPECT_EQ(git("ls-files --stage lib", work->path()), git("ls-files --stage lib"));
}

TEST_F(RepositoryTest, ASubmoduleThatGitIsToIgnoreIsSeenAllTheSame) {
  git("clone --quiet . " + (root / "library").string());
  git("-c protocol.file.allow=always submodule --quiet add " + (root / "library").string() +
      " lib");
  git("config --file .gitmodules submodule.lib.ignore all");
  git("commit --quiet -a -m Library");
  const std::string newer = git("commit-tree HEAD^{tree} -m Newer");
  auto work = start("r1");
  const auto bump = [&](const fs::path& folder, const std::string& to) {
    git("update-index --cacheinfo 160000," + to + ",lib", folder);
  };
  bump(work->path(), newer);
  EXPECT_EQ(work->since_base().files, std::vector<std::string>{"lib"});
  EXPECT_NE(work->since_base().diff.find("+Subproject commit " + newer), std::string::npos);
  EXPECT_NE(patch(repository, work->checkpoint("A#1"), git("rev-parse main")), "");
  EXPECT_EQ(work->commit("Newer", "C#1").files, std::vector<std::string>{"lib"});
  bump(work->fork("P#1[1]")->path(), git("rev-parse main"));
  work->join({{"P#1[1]"}, {"P#1[1]"}, {}, "r1/P#1"});
  const std::string joined = git("for-each-ref --format=%(refname) refs/agneto/r1/joins");
  EXPECT_EQ(git("rev-parse " + joined + ":lib"), git("rev-parse main"));
}

TEST(PlainFolder, HasNoHistoryAndSaysSo) {
  auto work = plain("/somewhere");
  EXPECT_EQ(work->path(), "/somewhere");
  EXPECT_EQ(work->branch(), "");
  EXPECT_EQ(work->checkpoint("A#1"), "");
  EXPECT_FALSE(work->changed_since(""));
  EXPECT_EQ(work->commit("m", "C#1").kind, Result::Kind::failed);
  EXPECT_EQ(work->commit("m", "C#1").message, "/somewhere: this run has no worktree");
}

TEST_F(RepositoryTest, ALockOfAnotherGitIsWaitedFor) {
  const fs::path lock = repository / ".git/index.lock";
  write(lock, "");
  const Git impatient(repository, Millis(0));
  EXPECT_THROW(impatient.run({"add", "--refresh", "."}), process::Locked);
  // The alias lets go of the lock on its first try, as the other git would.
  const Git patient(repository);
  const Git releasing = patient.setting(
      "alias.try=!test -e tried && exec git add --refresh .; "
      "touch tried; git add --refresh .; rc=$?; rm " +
      lock.string() + "; exit $rc");
  EXPECT_EQ(releasing.run({"try"}).status, 0);
}

std::string diff_of(const std::string& name, int lines) {
  std::string text = "diff --git a/" + name + " b/" + name + "\n@@ -0,0 +1 @@\n";
  for (int i = 0; i < lines; ++i) text += "+0123456789\n";
  return text;
}

TEST(BoundedDiff, IsWholeWhereItFits) {
  const std::string diff = diff_of("a", 3) + diff_of("b", 3);
  EXPECT_EQ(bounded_diff(diff, diff.size()), diff);
}

TEST(BoundedDiff, SharesTheRoomAndSaysWhatIsCut) {
  const std::string diff = diff_of("huge", 1000) + diff_of("small", 2);
  EXPECT_EQ(bounded_diff(diff, 200),
            diff_of("huge", 5) + "[11940 more bytes of this file's diff are not shown]\n" +
                diff_of("small", 2) +
                "[this diff of 2 files has 12104 bytes and is cut to about 200]\n");
}

TEST(BoundedDiff, EachFileEndsInALineEnd) {
  const std::string binary = "diff --git a/b b/b\nBinary files a/b and b/b differ";
  EXPECT_EQ(bounded_diff(diff_of("huge", 1000) + binary, 200),
            diff_of("huge", 5) + "[11940 more bytes of this file's diff are not shown]\n" + binary +
                "\n[this diff of 2 files has 12089 bytes and is cut to about 200]\n");
}

TEST(BoundedDiff, ManyFilesAreCounted) {
  std::string diff;
  for (int i = 0; i < 1000; ++i) diff += diff_of("file", 1);
  const std::string shown = bounded_diff(diff, 500);
  EXPECT_LT(shown.size(), 2500u);
  EXPECT_THAT(shown, HasSubstr("files are not shown at all]\n"));
}

TEST(RefPart, MakesALegalNameOfAnyLabel) {
  EXPECT_EQ(ref_part("TASK#1/CODE#2"), "TASK#1+CODE#2");
  EXPECT_EQ(ref_part("..a..b@{c}\n\xff"), "a.b.c");
  EXPECT_EQ(ref_part(std::string(500, 'x')).size(), 120u);
}

}  // namespace
}  // namespace agneto::workspace
