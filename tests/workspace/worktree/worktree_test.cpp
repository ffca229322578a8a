// A run's worktree: checkpoints, restore, commits, discard, what changed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "base/log.h"
#include "workspace/git.h"
#include "workspace/inspect.h"
#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class WorktreeTest : public Throwaway {
 protected:
  WorktreeTest() : before(users_things()), work(start()), path(work->path()) {}

  std::string status() const { return git("status --porcelain --untracked-files=all", path); }
  std::string before;
  std::unique_ptr<Workspace> work;
  fs::path path;
};

TEST_F(WorktreeTest, AFilterThatIsNotInstalledIsNamedWhereTheFilesAreMade) {
  write(repository / ".gitattributes", "*.big filter=lfs\n");
  write(repository / "a.big", "text\n");
  git("add -A");
  git("commit --quiet -m Big");
  git("config filter.lfs.required true");
  git("config filter.lfs.smudge no-such-program");
  const std::string help =
      " | a filter of git's configuration has failed: install its program, or take the filter "
      "away; to see it: git config --get-regexp '^filter[.]'";
  EXPECT_EQ(thrown([&] { start("filtered"); }),
            "git worktree add: cannot run no-such-program: No such file or directory; cannot fork "
            "to run external filter 'no-such-program'; external filter 'no-such-program' failed; "
            "a.big: smudge filter lfs failed" +
                help);
  git("config filter.lfs.process no-such-program\tfilter-process");
  EXPECT_THAT(thrown([&] { start("processed"); }), EndsWith(help));
}

TEST_F(WorktreeTest, StartsFromTheCurrentBranch) {
  EXPECT_EQ(work->base(), "main");
  EXPECT_EQ(work->branch(), "agneto/run1");
  EXPECT_EQ(git("symbolic-ref HEAD", path), "refs/heads/agneto/run1");
  EXPECT_EQ(git("rev-parse agneto/run1"), git("rev-parse main"));
  EXPECT_EQ(read(path / "greet.sh"), "echo hello\n");
  EXPECT_EQ(users_things(), before);
}

TEST_F(WorktreeTest, RestoreBringsBackEveryKindOfFile) {
  write(path / "greet.sh", "echo changed\n");
  write(path / "new/untracked.txt", "draft\n");
  write(path / "tool.sh", "#!/bin/sh\n");
  fs::permissions(path / "tool.sh", fs::perms::owner_exec, fs::perm_options::add);
  fs::create_symlink("greet.sh", path / "link");
  fs::remove(path / "docs/guide.md");
  write(path / "cache/kept", "ignored\n");
  const std::string status_then = status();
  const std::string id = work->checkpoint("T#1/A#1");

  write(path / "greet.sh", "echo ruined!\n");
  fs::remove_all(path / "new");
  write(path / "new", "a file where a folder was\n");
  fs::permissions(path / "tool.sh", fs::perms::owner_exec, fs::perm_options::remove);
  fs::remove(path / "link");
  write(path / "link", "no link\n");
  write(path / "docs/guide.md", "back\n");
  write(path / "stray/deep/file.txt", "stray\n");
  write(path / "cache/kept", "ignored, changed\n");
  EXPECT_TRUE(work->changed_since(id));
  work->restore(id);

  EXPECT_EQ(read(path / "greet.sh"), "echo changed\n");
  EXPECT_EQ(read(path / "new/untracked.txt"), "draft\n");
  EXPECT_NE(fs::status(path / "tool.sh").permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_EQ(fs::read_symlink(path / "link"), "greet.sh");
  EXPECT_FALSE(fs::exists(path / "docs/guide.md"));
  EXPECT_FALSE(fs::exists(path / "stray"));
  EXPECT_EQ(read(path / "cache/kept"), "ignored, changed\n");
  EXPECT_EQ(status(), status_then);
  EXPECT_FALSE(work->changed_since(id));
  EXPECT_EQ(users_things(), before);
}

TEST_F(WorktreeTest, ADeletedFolderIsMissedAndItsUncommittedFilesComeBack) {
  write(path / "greet.sh", "echo changed\n");
  write(path / "new.txt", "new\n");
  const std::string id = work->checkpoint("T#1/A#1");
  EXPECT_TRUE(work->intact());
  fs::remove_all(path);
  EXPECT_FALSE(work->intact());
  work = open(request());
  EXPECT_FALSE(work->intact()) << "it is there again, but not what was in it";
  EXPECT_EQ(work->rescue(id), "") << "nothing is in it that was not in the branch";
  work->restore(id);
  EXPECT_TRUE(work->intact());
  EXPECT_EQ(read(path / "greet.sh"), "echo changed\n");
  EXPECT_EQ(read(path / "new.txt"), "new\n");
}

// Whoever brings it back may be killed before what was in it is there.
TEST_F(WorktreeTest, AFolderThatIsThereAgainIsNotWhatTheRunLeftUntilItWasRestored) {
  write(path / "new.txt", "new\n");
  const std::string id = work->checkpoint("T#1/A#1");
  fs::remove_all(path);
  work = open(request());
  for (const bool is_half_made : {false, true}) {
    if (is_half_made) {
      fs::remove(repository / ".git/worktrees/run1/index");
      fs::remove(path / "greet.sh");
    }
    work = open(request());
    EXPECT_FALSE(work->intact());
    EXPECT_EQ(status(), "");
    EXPECT_EQ(read(path / "greet.sh"), "echo hello\n");
  }
  work->restore(id);
  EXPECT_TRUE(work->intact());
  work = open(request());
  EXPECT_TRUE(work->intact());
  EXPECT_EQ(read(path / "new.txt"), "new\n");
}

TEST_F(WorktreeTest, TheEmptyCheckpointIsTheLastCommit) {
  write(path / "new.txt", "new\n");
  const std::string commit = work->commit("New", "C#1").commit;
  write(path / "new.txt", "newer\n");
  fs::remove_all(path);
  work->restore("");
  EXPECT_TRUE(work->intact());
  EXPECT_EQ(read(path / "new.txt"), "new\n");
  EXPECT_EQ(git("rev-parse agneto/run1"), commit);
}

TEST_F(WorktreeTest, WhatARestoreWouldUndoCanBeKept) {
  const std::string id = work->checkpoint("T#1/A#1");
  EXPECT_EQ(work->rescue(id), "");
  write(path / "fix.txt", "a person's\n");
  git("add -A", path);
  git("-c user.name=Eve -c user.email=eve@example.org commit --quiet -m Fix", path);
  write(path / "draft.txt", "a person's too\n");
  const std::string kept = work->rescue(id);
  EXPECT_EQ(kept, "refs/agneto/run1/rescued-1");
  EXPECT_EQ(work->rescue(id), kept) << "once is enough";
  work->restore(id);
  EXPECT_EQ(status(), "");
  EXPECT_EQ(git("diff --name-only " + id + " " + kept), "draft.txt\nfix.txt");
  EXPECT_EQ(git("log -1 --format=%s " + kept + "^"), "Fix");

  write(path / "more.txt", "more\n");
  EXPECT_EQ(work->rescue(id), "refs/agneto/run1/rescued-2");
}

TEST_F(WorktreeTest, ACommitBesideTheBranchIsKeptToo) {
  const std::string id = work->checkpoint("T#1/A#1");
  git("checkout --quiet --detach", path);
  write(path / "fix.txt", "a person's\n");
  git("add -A", path);
  git("-c user.name=Eve -c user.email=eve@example.org commit --quiet -m Fix", path);
  const std::string kept = work->rescue(id);
  EXPECT_EQ(git("log -1 --format=%s " + kept + "^2"), "Fix");
}

TEST_F(WorktreeTest, ABranchThatIsCheckedOutElsewhereIsNotMoved) {
  const std::string id = work->checkpoint("T#1/A#1");
  git("checkout --quiet --detach", path);
  write(path / "half.txt", "half\n");
  git("checkout --quiet agneto/run1");
  const std::string refusal = "branch 'agneto/run1' is checked out in " + repository.string() +
                              ", so the run cannot work on it | check out another branch there: "
                              "git -C " +
                              repository.string() + " switch -";
  EXPECT_EQ(thrown([&] { work->restore(id); }), refusal);
  EXPECT_EQ(thrown([&] { open(request()); }), refusal);
  fs::remove_all(path);
  EXPECT_EQ(thrown([&] { work->restore(id); }), refusal);
  EXPECT_EQ(git("status --porcelain"), "");
  git("checkout --quiet main");
  open(request())->restore(id);
  EXPECT_EQ(git("symbolic-ref HEAD", path), "refs/heads/agneto/run1");
}

TEST_F(WorktreeTest, TheSameTreeIsTheSameCheckpoint) {
  const std::string clean = work->checkpoint("T#1/A#1");
  EXPECT_EQ(work->checkpoint("T#1/B#1"), clean);
  write(path / "new.txt", "one\n");
  const std::string dirty = work->checkpoint("T#1/C#1");
  EXPECT_NE(dirty, clean);
  fs::remove(path / "new.txt");
  EXPECT_EQ(open(request())->checkpoint("T#1/D#1"), clean);
  write(path / "new.txt", "one\n");
  EXPECT_EQ(work->checkpoint("T#1/C#2"), dirty);
}

TEST_F(WorktreeTest, AChangeOfTheSameSizeInTheSameInstantIsSeen) {
  write(path / "greet.sh", "echo hallo\n");
  std::string id = work->checkpoint("A#1");
  for (char c = 'a'; c < 'k'; ++c) {
    write(path / "greet.sh", std::string("echo hall") + c + "\n");
    EXPECT_TRUE(work->changed_since(id)) << c;
    id = work->checkpoint(std::string("A#") + c);
    EXPECT_EQ(git("show " + id + ":greet.sh"), std::string("echo hall") + c);
  }
}

TEST_F(WorktreeTest, WhatAnAgentStagesByForceIsSeen) {
  write(path / "a.txt", "a\n");
  const std::string id = work->checkpoint("A#1");
  write(path / "object.o", "object\n");
  EXPECT_FALSE(work->changed_since(id));
  git("add --force object.o", path);
  EXPECT_TRUE(work->changed_since(id));
  work->restore(id);
  EXPECT_FALSE(fs::exists(path / "object.o"));
  EXPECT_FALSE(work->changed_since(id));
}

TEST_F(WorktreeTest, ACheckpointTouchesNeitherBranchNorIndex) {
  write(path / "staged.txt", "staged\n");
  git("add staged.txt", path);
  write(path / "unstaged.txt", "unstaged\n");
  const std::string index = git("ls-files --stage", path), status_then = status();
  work->checkpoint("A#1");
  EXPECT_EQ(git("ls-files --stage", path), index);
  EXPECT_EQ(status(), status_then);
  EXPECT_EQ(git("rev-parse agneto/run1"), git("rev-parse main"));
}

TEST_F(WorktreeTest, CheckpointsSurviveGarbageCollectionUnderTheirLabels) {
  write(path / "a.txt", "a\n");
  const std::string id = work->checkpoint("TASK#1/PANEL#2[3]/CODE..#1~^:?.lock");
  EXPECT_EQ(git("for-each-ref --format=%(refname) refs/agneto/run1/checkpoints"),
            "refs/agneto/run1/checkpoints/TASK#1+PANEL#2.3.+CODE.#1.lock@" + id.substr(0, 16));
  fs::remove(path / "a.txt");
  git("gc --quiet --prune=now");
  work->restore(id);
  EXPECT_EQ(read(path / "a.txt"), "a\n");
}

TEST_F(WorktreeTest, RestoreTakesBackCommitsAndUnfinishedGitWork) {
  write(path / "greet.sh", "echo ours\n");
  const std::string id = work->checkpoint("A#1");
  git("commit --quiet -a -m Agents", path);
  git("checkout --quiet -b elsewhere HEAD~1", path);
  write(path / "greet.sh", "echo theirs\n");
  git("commit --quiet -a -m Other", path);
  process::capture({"git", "merge", "agneto/run1"}, path);
  ASSERT_THAT(git("status", path), HasSubstr("You have unmerged paths"));
  write(repository / ".git/worktrees/run1/index.lock", "");
  EXPECT_TRUE(work->changed_since(id));

  work->restore(id);
  EXPECT_EQ(git("symbolic-ref HEAD", path), "refs/heads/agneto/run1");
  EXPECT_EQ(git("rev-parse agneto/run1"), git("rev-parse main"));
  EXPECT_EQ(status(), " M greet.sh");
  EXPECT_EQ(read(path / "greet.sh"), "echo ours\n");
  EXPECT_EQ(git("log --format=%s -1", path), "First");
}

// git finds an empty file where another process is making a worktree at this moment.
TEST_F(WorktreeTest, WaitsWhileAnotherProcessMakesAWorktree) {
  const fs::path file = repository / ".git/worktrees/run1/commondir";
  write(root / "made", "../..\n");
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  std::thread maker([&] {
    const int empty = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);  // until git reads
    fs::rename(root / "made", file);
    ::close(empty);
  });
  EXPECT_THAT(Git(repository).text({"worktree", "list"}), HasSubstr("[agneto/run1]"));
  maker.join();
}

TEST_F(WorktreeTest, AnUnfinishedRebaseIsAborted) {
  const std::string id = work->checkpoint("A#1");
  write(path / "greet.sh", "echo one\n");
  git("commit --quiet -a -m One", path);
  git("checkout --quiet -b other HEAD~1", path);
  write(path / "greet.sh", "echo two\n");
  git("commit --quiet -a -m Two", path);
  process::capture({"git", "rebase", "agneto/run1"}, path);
  ASSERT_TRUE(fs::exists(repository / ".git/worktrees/run1/rebase-merge"));
  work->restore(id);
  EXPECT_EQ(git("status", path), "On branch agneto/run1\nnothing to commit, working tree clean");
}

// A process that is killed inside restore leaves one of these behind; the next restore gets there.
TEST_F(WorktreeTest, RestoreFinishesWhatACutOffRestoreBegan) {
  write(path / "greet.sh", "echo then\n");
  const std::string id = work->checkpoint("A#1");
  const fs::path folder = repository / ".git/worktrees/run1";
  git("commit --quiet -a -m Agents", path);
  git("read-tree --empty", path);
  write(folder / "agneto.index", "torn");
  write(folder / "agneto.index.lock", "");
  write(folder / "index.lock", "");
  fs::remove(path / "greet.sh");
  work = open(request());
  work->restore(id);
  EXPECT_EQ(status(), " M greet.sh");
  EXPECT_EQ(read(path / "greet.sh"), "echo then\n");
  EXPECT_FALSE(work->changed_since(id));
}

TEST_F(WorktreeTest, AnUnknownCheckpointIsSaidToBeUnknown) {
  EXPECT_EQ(thrown([&] { work->restore("0123456789"); }),
            "there is no checkpoint '0123456789' in this repository");
  EXPECT_EQ(thrown([&] { work->restore("--all"); }),
            "there is no checkpoint '--all' in this repository");
}

TEST_F(WorktreeTest, CommitsAllChangesUnderTheMessageAsItIs) {
  write(path / "greet.sh", "echo HELLO\n");
  write(path / "new file.txt", "new\n");
  fs::remove(path / "docs/guide.md");
  const std::string message =
      "Add $(touch pwned) `id` \"quotes\"\n\n# not a comment\n--- a line\nCafé";
  const Result outcome = work->commit(message, "TASK#1/COMMIT#1");
  EXPECT_EQ(outcome.message, "");
  ASSERT_EQ(outcome.kind, Result::Kind::ok);
  EXPECT_THAT(outcome.files, ElementsAre("docs/guide.md", "greet.sh", "new file.txt"));
  EXPECT_EQ(git("rev-parse agneto/run1"), outcome.commit);
  EXPECT_EQ(git("log -1 --format=%B%an|%ae|%P agneto/run1"),
            message + "\n\nAgneto-Effect: run1/TASK#1/COMMIT#1\nAda|ada@example.org|" +
                git("rev-parse main"));
  EXPECT_EQ(status(), "");
  EXPECT_EQ(users_things(), before);
}

TEST_F(WorktreeTest, ATrailerJoinsTheTrailersThatAreThere) {
  write(path / "a.txt", "a\n");
  work->commit("Add a\n\nCo-authored-by: Bo <bo@example.org>\n", "C#1");
  EXPECT_EQ(git("log -1 --format=%B agneto/run1"),
            "Add a\n\nCo-authored-by: Bo <bo@example.org>\nAgneto-Effect: run1/C#1\n");
}

// The terminal of a person who reads the log would obey them.
TEST_F(WorktreeTest, AMessageHasNoControlCharacters) {
  write(path / "a.txt", "a\n");
  work->commit("Add\x1b[2J a\x07\r\n\n\ttab\x1b]0;title\x07", "C#1");
  EXPECT_EQ(git("log -1 --format=%B agneto/run1"), "Add a\n\n\ttab\n\nAgneto-Effect: run1/C#1\n");
}

TEST_F(WorktreeTest, TheAgentsOwnCommitsAreSquashedIntoTheChunks) {
  write(path / "a.txt", "a\n");
  work->commit("One", "C#1");
  write(path / "b.txt", "b\n");
  git("add -A", path);
  git("commit --quiet --amend -m Amended", path);
  write(path / "c.txt", "c\n");
  EXPECT_THAT(work->since_last_commit().files, ElementsAre("b.txt", "c.txt"));
  EXPECT_THAT(work->commit("Two", "C#2").files, ElementsAre("b.txt", "c.txt"));
  EXPECT_EQ(git("log --format=%s agneto/run1"), "Two\nOne\nFirst");
  EXPECT_EQ(status(), "");
}

TEST_F(WorktreeTest, WorkOnAnotherBranchOfTheAgentsIsCommittedToTheRuns) {
  git("checkout --quiet -b feature", path);
  write(path / "a.txt", "a\n");
  git("add -A", path);
  git("commit --quiet -m Agents", path);
  EXPECT_THAT(work->commit("One", "C#1").files, ElementsAre("a.txt"));
  EXPECT_EQ(git("log --format=%s agneto/run1"), "One\nFirst");
  EXPECT_EQ(git("symbolic-ref HEAD", path), "refs/heads/agneto/run1");
  EXPECT_EQ(status(), "");
}

TEST_F(WorktreeTest, ACommitIsMadeOnce) {
  write(path / "a.txt", "a\n");
  const Result first = work->commit("One", "C#1");
  write(path / "b.txt", "b\n");
  const Result again = open(request())->commit("One", "C#1");
  EXPECT_EQ(again.commit, first.commit);
  EXPECT_EQ(again.files, first.files);
  EXPECT_EQ(git("log --format=%s agneto/run1"), "One\nFirst");
  EXPECT_EQ(status(), "?? b.txt");
}

TEST_F(WorktreeTest, AnAgentCannotFakeACommitOfTheEngines) {
  write(path / "a.txt", "a\n");
  git("add -A", path);
  git("commit --quiet -m Sneaky --trailer Agneto-Effect=run1/C#1", path);
  work = open(request());
  EXPECT_THAT(work->since_last_commit().files, ElementsAre("a.txt"));
  EXPECT_EQ(work->commit("Real\n\nAgneto-Effect: run1/C#7", "C#1").files.size(), 1u);
  work = open(request());
  EXPECT_THAT(work->commit("x", "C#7").message, "nothing to commit");
  EXPECT_EQ(git("log --format=%s agneto/run1"), "Real\nFirst");
}

TEST_F(WorktreeTest, NothingToCommitIsFine) {
  git("commit --quiet --allow-empty -m Empty", path);
  const Result outcome = work->commit("One", "C#1");
  EXPECT_EQ(outcome.kind, Result::Kind::ok);
  EXPECT_EQ(outcome.commit, "");
  EXPECT_EQ(outcome.message, "nothing to commit");
  EXPECT_EQ(git("rev-parse agneto/run1"), git("rev-parse main"));
}

TEST_F(WorktreeTest, WithoutAnIdentityOfTheUsersAgnetoCommits) {
  git("config --unset user.name");
  git("config --unset user.email");
  write(path / "a.txt", "a\n");
  const Result outcome = work->commit("One", "C#1");
  EXPECT_EQ(outcome.message, "");
  EXPECT_EQ(git("log -1 --format=%an|%ae|%cn|%ce agneto/run1"),
            "agneto|agneto@localhost|agneto|agneto@localhost");
}

TEST_F(WorktreeTest, NoHookOfTheUsersRuns) {
  for (const char* hook : {"pre-commit", "commit-msg", "post-commit", "post-checkout",
                           "reference-transaction", "post-merge", "post-rewrite"}) {
    const fs::path file = repository / ".git/hooks" / hook;
    write(file, "#!/bin/sh\ntouch " + (root / "hook-ran").string() + "\nexit 1\n");
    fs::permissions(file, fs::perms::owner_all);
  }
  git("config commit.gpgsign true");
  git("config gpg.program /bin/false");
  auto other = start("run2");
  write(other->path() / "a.txt", "a\n");
  const std::string id = other->checkpoint("A#1");
  EXPECT_EQ(other->commit("One", "C#1").message, "");
  other->restore(id);
  EXPECT_EQ(other->commit("One", "C#2").message, "");
  EXPECT_EQ(other->merge({"", "Merge", true, "M#1"}).message, "merged agneto/run2 into 'main'");
  EXPECT_FALSE(fs::exists(root / "hook-ran"));
}

TEST_F(WorktreeTest, DiscardGoesBackToTheLastApprovedCommit) {
  write(path / "a.txt", "a\n");
  const std::string approved = work->commit("One", "C#1").commit;
  write(path / "a.txt", "rejected\n");
  write(path / "b.txt", "rejected\n");
  git("commit --quiet -a -m Agents", path);
  const Result outcome = work->discard("D#1");
  EXPECT_EQ(outcome.kind, Result::Kind::ok);
  EXPECT_EQ(git("rev-parse agneto/run1"), approved);
  EXPECT_EQ(status(), "");
  EXPECT_EQ(read(path / "a.txt"), "a\n");
  EXPECT_FALSE(fs::exists(path / "b.txt"));

  EXPECT_EQ(work->discard("D#1").commit, outcome.commit);
  work->restore(outcome.commit);
  EXPECT_EQ(read(path / "a.txt"), "rejected\n");
  EXPECT_EQ(read(path / "b.txt"), "rejected\n");
  EXPECT_EQ(git("log -1 --format=%s agneto/run1"), "Agents");
  EXPECT_THAT(work->since_last_commit().files, ElementsAre("a.txt", "b.txt"));
}

TEST_F(WorktreeTest, ARestoreToBeforeACommitForgetsThatCommit) {
  write(path / "a.txt", "a\n");
  const std::string id = work->checkpoint("A#1");
  const std::string first = work->commit("One", "C#1").commit;
  work->restore(id);
  EXPECT_EQ(git("rev-parse agneto/run1"), git("rev-parse main"));
  EXPECT_THAT(work->since_last_commit().files, ElementsAre("a.txt"));
  EXPECT_EQ(work->commit("Again", "C#1").message, "");
  EXPECT_EQ(git("log --format=%s agneto/run1"), "Again\nFirst");
}

TEST_F(WorktreeTest, ChangesAreAgainstTheBaseOrTheLastCommit) {
  EXPECT_THAT(work->since_base().files, IsEmpty());
  EXPECT_EQ(work->since_base().diff, "");
  write(path / "a.txt", "a\n");
  work->commit("One", "C#1");
  write(path / "b.txt", "b\n");
  const Changes run = work->since_base(), chunk = work->since_last_commit();
  EXPECT_THAT(run.files, ElementsAre("a.txt", "b.txt"));
  EXPECT_EQ(run.base, git("rev-parse main"));
  EXPECT_EQ(run.head, git("rev-parse agneto/run1"));
  EXPECT_THAT(chunk.files, ElementsAre("b.txt"));
  EXPECT_EQ(chunk.base, git("rev-parse agneto/run1"));
  EXPECT_EQ(chunk.diff,
            "diff --git a/b.txt b/b.txt\nnew file mode 100644\nindex 0000000..6178079\n"
            "--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+b\n");
  write(path / "b.txt", "c\n");
  EXPECT_THAT(work->since_last_commit().diff, HasSubstr("\n+c\n"));
  EXPECT_EQ(status(), "?? b.txt");
}

TEST_F(WorktreeTest, TheUsersTasteInDiffsDoesNotReachTheModel) {
  git("config diff.external /bin/false");
  git("config diff.noprefix true");
  git("config color.ui always");
  git("config diff.mnemonicPrefix true");
  write(path / "b.txt", "b\n");
  EXPECT_THAT(work->since_base().diff, HasSubstr("diff --git a/b.txt b/b.txt\nnew file"));
}

TEST_F(WorktreeTest, BinaryAndHugeFilesAreNamedNotShown) {
  write(path / "image.png", std::string("\x89PNG\0\1\2\0", 8));
  write(path / "huge.txt", std::string(17 << 20, 'x') + "\n");
  const Changes changes = work->since_base();
  EXPECT_THAT(changes.files, ElementsAre("huge.txt", "image.png"));
  EXPECT_THAT(changes.diff, HasSubstr("Binary files /dev/null and b/huge.txt differ\n"));
  EXPECT_THAT(changes.diff, HasSubstr("Binary files /dev/null and b/image.png differ\n"));
  EXPECT_LT(changes.diff.size(), 1000u);
}

TEST_F(WorktreeTest, AChangeInALongTextIsShown) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "line " + std::to_string(i) + "\n";
  write(path / "long.txt", text);
  const Changes added = work->since_base();
  EXPECT_THAT(added.diff, HasSubstr("\n+line 0\n+line 1\n"));
  EXPECT_LT(added.diff.size(), 210u << 10) << "cut";
  work->commit("Long", "C#1");
  write(path / "long.txt", text + "the end\n");
  EXPECT_THAT(work->since_last_commit().diff, HasSubstr("\n line 199999\n+the end\n"));
}

TEST_F(WorktreeTest, ARepositoryInsideTheWorktreeStopsACommitAndNothingElse) {
  write(path / "empty/file.txt", "inner\n");
  git("init --quiet", path / "empty");
  git("clone --quiet " + repository.string() + " full", path);
  write(path / "a.txt", "a\n");
  EXPECT_THAT(work->since_base().files, ElementsAre("a.txt", "full"));
  const Result commit = work->commit("One", "C#1");
  EXPECT_EQ(commit.kind, Result::Kind::failed);
  EXPECT_EQ(commit.message,
            "full, empty: a git repository of its own inside the worktree, whose files cannot be "
            "committed; remove its .git, or make it a submodule");
  EXPECT_EQ(git("rev-parse agneto/run1"), git("rev-parse main"));

  fs::remove_all(path / "empty/.git");
  fs::remove_all(path / "full");
  EXPECT_THAT(work->commit("One", "C#1").files, ElementsAre("a.txt", "empty/file.txt"));

  git("init --quiet nested", path);
  EXPECT_EQ(work->since_base().files.size(), 2u);
  EXPECT_EQ(work->discard("D#1").message, "");
  EXPECT_FALSE(fs::exists(path / "nested"));
  write(path / "b.txt", "b\n");
  EXPECT_THAT(work->commit("Two", "C#2").files, ElementsAre("b.txt"));

  git("init --quiet nested", path);
  write(path / "c.txt", "c\n");
  EXPECT_EQ(work->since_base().files.size(), 4u);
  fs::remove_all(path / "nested");
  EXPECT_THAT(work->commit("Three", "C#3").files, ElementsAre("c.txt"));
}

TEST_F(WorktreeTest, NothingThatARepositoryInsideConfiguresIsStarted) {
  const fs::path inner = path / "inner", started = root / "started";
  git("init --quiet inner", path);
  write(inner / ".gitattributes", "* filter=own\n");
  write(inner / "file.txt", "1\n");
  git("add -A", inner);
  git("-c user.name=Eve -c user.email=eve@example.org commit --quiet -m Inner", inner);
  write(root / "filter.sh", "touch '" + started.string() + "'; cat\n");
  git("config filter.own.clean sh\t" + (root / "filter.sh").string(), inner);
  for (const char* text : {"22\n", "333\n"}) {
    write(inner / "file.txt", text);
    EXPECT_THAT(work->since_base().files, ElementsAre("inner"));
    work->checkpoint("P#1");
    changes_of({repository, path, "run1"}, false);
    EXPECT_EQ(work->commit("One", "C#1").kind, Result::Kind::failed);
  }
  EXPECT_EQ(work->discard("D#1").message, "");
  EXPECT_FALSE(fs::exists(started));
}

TEST_F(WorktreeTest, AFileThatGitDoesNotTakeIsNamedAndStopsNothingButACommit) {
  write(path / ".GIT", "no name for a file\n");
  write(path / "a.txt", "a\n");
  EXPECT_THAT(work->since_base().files, ElementsAre("a.txt"));
  const std::string checkpoint = work->checkpoint("P#1");
  const Result commit = work->commit("One", "C#1");
  EXPECT_EQ(commit.kind, Result::Kind::failed);
  EXPECT_EQ(commit.message,
            ".GIT cannot be committed: git takes no file of that name; remove or rename it");
  EXPECT_EQ(work->obstacle_to_commit(), commit.message);
  work->restore(checkpoint);
  EXPECT_FALSE(fs::exists(path / ".GIT"));
  EXPECT_THAT(work->commit("One", "C#1").files, ElementsAre("a.txt"));
}

TEST_F(WorktreeTest, WhatStandsInACommitsWayIsNamedBeforeIt) {
  write(path / "a.txt", "a\n");
  EXPECT_EQ(work->obstacle_to_commit(), "");
  fs::create_directories(path / "sub");
  git("init --quiet", path / "sub");
  for (int i = 1; i <= 6; ++i) write(path / ("git~" + std::to_string(i)), "no name for a file\n");
  const std::string obstacle = work->obstacle_to_commit();
  EXPECT_EQ(obstacle, work->commit("One", "C#1").message);
  for (int i = 1; i <= 6; ++i) fs::remove(path / ("git~" + std::to_string(i)));
  EXPECT_EQ(work->obstacle_to_commit(),
            "sub: a git repository of its own inside the worktree, whose files cannot be "
            "committed; remove its .git, or make it a submodule");
}

TEST_F(WorktreeTest, ADiscardNamesTheRepositoriesInsideThatItRemoves) {
  struct Kept : log::Sink {
    void write(const log::Line& line) noexcept override {
      if (line.level == log::Level::warning) lines.push_back(line.fields.front().second);
    }
    std::vector<std::string> lines;
  };
  const auto kept = std::make_shared<Kept>();
  for (const char* name : {"new/inner", "empty"}) {
    fs::create_directories(path / name);
    git("init --quiet", path / name);
  }
  write(path / "new/inner/file.txt", "1\n");
  git("add -A", path / "new/inner");
  git("-c user.name=Eve -c user.email=eve@example.org commit --quiet -m Inner", path / "new/inner");
  log::install(kept);
  work->discard("D#1");
  log::install(nullptr);
  EXPECT_THAT(kept->lines, ::testing::UnorderedElementsAre((path / "new/inner").string(),
                                                           (path / "empty").string()));
}

TEST_F(WorktreeTest, ARepositoryMayHaveTheNameOfAnErrorOfGits) {
  fs::create_directories(path / "error: 'q");
  git("init --quiet", path / "error: 'q");
  EXPECT_THAT(work->since_base().files, ElementsAre());
  EXPECT_EQ(work->commit("One", "C#1").message,
            "error: 'q: a git repository of its own inside the worktree, whose files cannot be "
            "committed; remove its .git, or make it a submodule");
}

TEST_F(WorktreeTest, FilesAndFoldersMayTakeEachOthersPlace) {
  fs::remove(path / "greet.sh");
  write(path / "greet.sh/main", "now a folder\n");
  fs::remove_all(path / "docs");
  write(path / "docs", "now a file\n");
  EXPECT_THAT(work->commit("One", "C#1").files,
              ElementsAre("docs", "docs/guide.md", "greet.sh", "greet.sh/main"));
  EXPECT_EQ(git("status --porcelain", path), "");
}

TEST_F(WorktreeTest, LocksThatAKilledGitLeftOnTheRunsOwnRefsAreRemoved) {
  const auto leave_locks = [&] {
    for (const char* ref : {"heads/agneto/run1", "agneto/run1/last", "agneto/run1/checkpoints/x"}) {
      write(repository / ".git/refs" / (std::string(ref) + ".lock"), "");
    }
    write(repository / ".git/worktrees/run1/HEAD.lock", "");
  };
  write(path / "a.txt", "a\n");
  const std::string checkpoint = work->checkpoint("P#1");
  leave_locks();
  EXPECT_EQ(work->commit("One", "C#1").message, "");
  leave_locks();
  work->restore(checkpoint);
  EXPECT_TRUE(fs::exists(path / "a.txt"));
  leave_locks();
  EXPECT_EQ(work->discard("D#1").message, "");
  EXPECT_FALSE(fs::exists(path / "a.txt"));
}

TEST_F(WorktreeTest, LocksThatAKilledGitLeftOnRefsOfForksAreRemovedWhenTheRunIsTakenUp) {
  const auto leave_locks = [&] {
    for (const char* ref : {"agneto/run1.P.1.1/base", "agneto/run1.P.1.1/checkpoints/x",
                            "heads/agneto/run1.P.1.1", "agneto/run1.P.1.2/last"}) {
      write(repository / ".git/refs" / (std::string(ref) + ".lock"), "");
    }
  };
  work->fork("P#1[2]");
  leave_locks();
  // A lock of somebody else's is theirs.
  const fs::path other = repository / ".git/refs/heads/agneto/run11.lock";
  write(other, "");
  work = open(request());
  EXPECT_EQ(work->fork("P#1[1]")->branch(), "agneto/run1.P.1.1");
  EXPECT_TRUE(fs::exists(other));
  leave_locks();
  remove(request());
  EXPECT_EQ(git("for-each-ref refs/agneto/run1/**"), "");
}

// It is that of the repository: without this nobody could delete a branch there any more.
TEST_F(WorktreeTest, TheLockOfPackedRefsGoesOnceNobodyHasTouchedItForLong) {
  const fs::path lock = repository / ".git/packed-refs.lock";
  const Git impatient = Git(repository, Millis(0)).setting("core.packedRefsTimeout=0");
  const auto age = [&](std::chrono::seconds ago) {
    fs::last_write_time(lock, fs::file_time_type::clock::now() - ago);
  };
  git("branch one");
  write(lock, "");
  age(std::chrono::hours(-1));  // the other git is still at it
  EXPECT_THROW(impatient.text({"branch", "-D", "one"}), Error);
  EXPECT_TRUE(fs::exists(lock));
  age(std::chrono::seconds(6));
  EXPECT_NO_THROW(impatient.text({"branch", "-D", "one"}));
  EXPECT_FALSE(fs::exists(lock));
}

TEST_F(WorktreeTest, WhatALinkInItsPlaceLeadsToStaysAsItIs) {
  write(path / "a.txt", "a\n");
  const std::string checkpoint = work->checkpoint("P#1");
  fs::rename(path, root / "elsewhere");
  write(root / "precious/file.txt", "mine\n");
  fs::create_directory_symlink(root / "precious", path);
  work->restore(checkpoint);
  EXPECT_EQ(read(root / "precious/file.txt"), "mine\n");
  EXPECT_FALSE(fs::is_symlink(path));
  EXPECT_EQ(read(path / "a.txt"), "a\n");
  EXPECT_EQ(work->discard("D#1").message, "");
}

TEST_F(WorktreeTest, AGitThatIsKilledIsNoOutcome) {
  const std::string path_before = std::getenv("PATH");
  write(root / "bin/git", "#!/bin/sh\ncase \"$*\" in *commit-tree*) kill -TERM $$ ;; esac\nexec " +
                              process::find_program("git")->string() + " \"$@\"\n");
  fs::permissions(root / "bin/git", fs::perms::owner_all);
  write(path / "a.txt", "a\n");
  setenv("PATH", ((root / "bin").string() + ":" + path_before).c_str(), 1);
  for (const auto& change : std::vector<std::function<Result()>>{
           [&] { return work->commit("One", "C#1"); }, [&] { return work->discard("D#1"); }}) {
    try {
      ADD_FAILURE() << change().message;
    } catch (const CutOff& error) {
      EXPECT_STREQ(error.what(), "git commit-tree was ended by signal 15");
    }
  }
  setenv("PATH", path_before.c_str(), 1);
  EXPECT_THAT(work->commit("One", "C#1").files, ElementsAre("a.txt"));
}

TEST_F(WorktreeTest, ASubmoduleMayBeAdded) {
  git("-c protocol.file.allow=always submodule --quiet add " + repository.string() + " lib", path);
  EXPECT_THAT(work->commit("Library", "C#1").files, ElementsAre(".gitmodules", "lib"));
}

TEST_F(WorktreeTest, TheWorktreesOwnGitLinkMayBeDamaged) {
  const std::string id = work->checkpoint("A#1");
  fs::remove(path / ".git");
  git("init --quiet", path);
  write(path / "a.txt", "a\n");
  EXPECT_THAT(work->since_base().files, ElementsAre("a.txt"));
  work->restore(id);
  EXPECT_EQ(status(), "");
  EXPECT_EQ(git("symbolic-ref HEAD", path), "refs/heads/agneto/run1");
  EXPECT_EQ(users_things(), before);
}

TEST_F(WorktreeTest, ADeletedWorktreeIsMadeAnew) {
  write(path / "a.txt", "a\n");
  work->commit("One", "C#1");
  write(path / "b.txt", "b\n");
  const std::string id = work->checkpoint("A#1");
  fs::remove_all(path);
  work = open(request());
  EXPECT_EQ(read(path / "a.txt"), "a\n");
  EXPECT_FALSE(fs::exists(path / "b.txt"));
  work->restore(id);
  EXPECT_EQ(status(), "?? b.txt");

  git("worktree remove --force " + path.string());
  work->restore(id);
  EXPECT_EQ(status(), "?? b.txt");
}

TEST_F(WorktreeTest, AMovedRepositoryKeepsItsUncommittedWork) {
  write(path / "b.txt", "b\n");
  fs::rename(repository, root / "moved");
  repository = root / "moved";
  work = open(request());
  EXPECT_EQ(read(repository / ".agneto/worktrees/run1/b.txt"), "b\n");
  EXPECT_THAT(work->since_base().files, ElementsAre("b.txt"));
}

TEST_F(WorktreeTest, ABranchThatIsGoneIsSaidToBeGone) {
  write(path / "a.txt", "a\n");
  const std::string commit = work->commit("One", "C#1").commit;
  fs::remove_all(path);
  git("worktree prune");
  git("branch -D agneto/run1");
  const std::string message =
      "branch 'agneto/run1' is gone, so this run has nothing to work on | its committed work is "
      "still there; to bring it back: git branch agneto/run1 " +
      commit.substr(0, 12);
  EXPECT_EQ(thrown([&] { open(request()); }), message);
  git("branch agneto/run1 " + commit.substr(0, 12));
  EXPECT_EQ(open(request())->since_base().files.size(), 1u);
}

TEST_F(WorktreeTest, IgnoredFilesThatAreTrackedAreWorkLikeAnyOther) {
  write(path / "tracked.o", "object\n");
  git("add --force tracked.o", path);
  EXPECT_THAT(work->commit("Add an object", "C#1").files, ElementsAre("tracked.o"));
  write(path / "tracked.o", "changed\n");
  EXPECT_THAT(work->since_last_commit().files, ElementsAre("tracked.o"));
  work->discard("D#1");
  EXPECT_EQ(read(path / "tracked.o"), "object\n");
}

TEST_F(WorktreeTest, TwoRunsInOneRepositoryKeepApart) {
  auto other = start("run2");
  write(path / "a.txt", "one\n");
  write(other->path() / "a.txt", "two\n");
  const std::string a = work->commit("One", "C#1").commit;
  const std::string b = other->commit("Two", "C#1").commit;
  EXPECT_EQ(git("log --format=%s agneto/run1"), "One\nFirst");
  EXPECT_EQ(git("log --format=%s agneto/run2"), "Two\nFirst");
  EXPECT_NE(a, b);
  EXPECT_EQ(users_things(), before);
}

TEST_F(WorktreeTest, TwoRunsAtOnceDoNotHinderEachOther) {
  const auto whole_run = [&](const std::string& run) {
    auto mine = create(request(run));
    for (int i = 0; i < 5; ++i) {
      mine->checkpoint("A#" + std::to_string(i));
      write(mine->path() / "file.txt", run + std::to_string(i) + "\n");
      mine->commit(std::to_string(i), "C#" + std::to_string(i));
    }
    Result merged;
    do merged = mine->merge({"", "Merge " + run, true, "M#1"});
    while (merged.kind == Result::Kind::busy);
    return merged;
  };
  Result a, b;
  std::thread first([&] { a = whole_run("a"); });
  std::thread second([&] { b = whole_run("b"); });
  first.join();
  second.join();
  EXPECT_EQ(git("log --format=%s agneto/a"), "4\n3\n2\n1\n0\nFirst");
  EXPECT_EQ(git("log --format=%s agneto/b"), "4\n3\n2\n1\n0\nFirst");
  // Both add the same file: the second merge conflicts.
  EXPECT_NE(a.kind == Result::Kind::ok, b.kind == Result::Kind::ok) << a.message << b.message;
  EXPECT_EQ(git("status --porcelain"), "");
}

}  // namespace
}  // namespace agneto::workspace
