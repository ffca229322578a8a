// What others do to git behind the engine's back, while they work in a run's worktree.
#include <gmock/gmock.h>

#include <functional>

#include "base/error.h"
#include "workspace/git.h"
#include "workspace/inspect.h"
#include "workspace/throwaway.h"
#include "workspace/worktree/kept_settings.h"
#include "workspace/worktree/settings_watch.h"

namespace agneto::workspace {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

class PutRight : public Throwaway {
 protected:
  PutRight() : work(start()), path(work->path()) {
    before = work->checkpoint("T#1/A#1");
    work->lend(true);
  }

  std::string status() const { return git("status --porcelain --untracked-files=all", path); }
  std::string head() const { return git("symbolic-ref HEAD", path); }
  void commit(const std::string& file) {
    write(path / file, "text\n");
    git("add -A", path);
    git("commit --quiet -m " + file, path);
  }

  std::unique_ptr<Workspace> work;
  fs::path path;
  std::string before;
  const fs::path common = repository / ".git", own = common / "worktrees/run1";
};

TEST_F(PutRight, SaysNothingWhereNothingWasDone) {
  write(path / "a.txt", "a\n");
  commit("b.txt");
  git("status", path);
  EXPECT_THAT(work->put_right(), IsEmpty());
  EXPECT_EQ(git("log --format=%s agneto/run1"), "b.txt\nFirst");
}

TEST_F(PutRight, HeadOnAnotherBranchIsBackAndItsWorkIsThere) {
  git("checkout --quiet -b feature", path);
  commit("a.txt");
  EXPECT_THAT(work->put_right(),
              ElementsAre("left HEAD on branch 'feature'; it is on 'agneto/run1' again, with the "
                          "files as they are"));
  EXPECT_EQ(head(), "refs/heads/agneto/run1");
  const std::string after = work->checkpoint("T#1/A#1");
  EXPECT_FALSE(work->changed_since(after)) << "who comes next has done nothing";
  EXPECT_THAT(work->since_last_commit().files, ElementsAre("a.txt"));
  EXPECT_EQ(git("log -1 --format=%s feature"), "a.txt");
  EXPECT_THAT(work->put_right(), IsEmpty());
}

TEST_F(PutRight, BranchesAndTagsAreToldAndLeft) {
  git("branch stays");
  git("branch goes");
  git("update-ref refs/remotes/origin/main main");
  work->lend(true);
  commit("a.txt");
  const std::string first = git("rev-parse main").substr(0, 12);
  const std::string second = git("rev-parse HEAD", path).substr(0, 12);
  git("update-ref refs/heads/main HEAD", path);
  git("branch --quiet -D goes", path);
  git("tag v1", path);
  git("update-ref refs/remotes/origin/main HEAD", path);
  EXPECT_THAT(work->put_right(),
              ElementsAre("was at work while 'goes' was deleted (it was " + first +
                          "), 'main' moved from " + first + " to " + second +
                          ", 'tags/v1' was made, at " + second + "; nobody has put that back"));
  EXPECT_EQ(git("rev-parse main").substr(0, 12), second);
  git("branch later");
  EXPECT_THAT(work->put_right(), IsEmpty()) << "nobody was at work";
}

TEST_F(PutRight, RefsOfOtherRunsThatAreAtWorkAreBack) {
  const auto other = start("run2");
  start("gone");
  work->lend(true);
  other->checkpoint("T#1/A#1");
  const std::string refs = git("for-each-ref refs/agneto/run2");
  remove(request("gone"));
  git("update-ref -d refs/agneto/run2/last", path);
  EXPECT_THAT(work->put_right(),
              ElementsAre("was at work while 'agneto/gone' was deleted (it was " +
                              git("rev-parse main").substr(0, 12) + "); nobody has put that back",
                          "deleted refs of other runs, which are as they were again: "
                          "refs/agneto/run2/last"));
  EXPECT_EQ(git("for-each-ref refs/agneto/run2"), refs);
}

TEST_F(PutRight, CommitsOfADetachedHeadAreKept) {
  git("checkout --quiet --detach", path);
  EXPECT_THAT(work->put_right(),
              ElementsAre("left HEAD at commit " + git("rev-parse main").substr(0, 12) +
                          "; it is on 'agneto/run1' again, with the files as they are"));
  git("checkout --quiet --detach", path);
  commit("a.txt");
  const std::string tip = git("rev-parse HEAD", path);
  EXPECT_THAT(work->put_right(),
              ElementsAre("left HEAD at commit " + tip.substr(0, 12) +
                          "; it is on 'agneto/run1' again, with the files as they are, and what "
                          "was committed there is kept as refs/agneto/run1/rescued-1"));
  EXPECT_EQ(git("rev-parse refs/agneto/run1/rescued-1"), tip);
  EXPECT_THAT(work->since_last_commit().files, ElementsAre("a.txt"));
  EXPECT_THAT(work->put_right(), IsEmpty());
}

TEST_F(PutRight, AHeadThatIsNoneIsOneAgain) {
  write(own / "HEAD", "nonsense\n");
  EXPECT_THAT(work->put_right(), ElementsAre("left HEAD nowhere; it is on 'agneto/run1' again, "
                                             "with the files as they are"));
  EXPECT_EQ(head(), "refs/heads/agneto/run1");
}

TEST_F(PutRight, AnIndexThatIsNoneIsMadeAnew) {
  const fs::path index = own / "index";
  const std::vector<std::function<void()>> ways = {
      [] {}, [&] { write(index, "junk"); }, [&] { write(index, ""); },
      [&] { fs::create_directory(index); }, [&] { fs::create_symlink("/dev/zero", index); }};
  for (const auto& way : ways) {
    work->lend(true);
    write(path / "a.txt", "a\n");
    fs::remove_all(index);
    way();
    EXPECT_THAT(work->put_right(),
                ElementsAre("damaged the worktree's index, which is as the branch has it, with the "
                            "files as they are"));
    EXPECT_THAT(work->since_base().files, ElementsAre("a.txt"));
    EXPECT_THAT(work->put_right(), IsEmpty());

    fs::remove_all(index);  // and the engine is killed
    way();
    work = open(request());
    const std::string found = work->checkpoint("T#1/A#1");
    EXPECT_THAT(git("show --name-only --format= " + found), "a.txt");
  }
}

TEST_F(PutRight, ABranchThatTheUserHasCheckedOutIsLeftToThem) {
  git("checkout --quiet --detach", path);
  git("checkout --quiet agneto/run1");
  EXPECT_THAT(work->put_right(), IsEmpty());
}

TEST_F(PutRight, AnUnfinishedMergeIsEndedWithTheFilesAsTheyAre) {
  write(path / "greet.sh", "echo ours\n");
  git("commit --quiet -a -m Ours", path);
  git("checkout --quiet -b other main", path);
  write(path / "greet.sh", "echo theirs\n");
  git("commit --quiet -a -m Theirs", path);
  git("checkout --quiet agneto/run1", path);
  work->lend(true);
  process::capture({"git", "merge", "other"}, path);
  EXPECT_THAT(work->put_right(),
              ElementsAre("left a merge unfinished, which is ended, with the files as they are"));
  EXPECT_EQ(status(), "M  greet.sh");
  EXPECT_EQ(read(path / "greet.sh").substr(0, 7), "<<<<<<<");

  write(path / "greet.sh", "echo stashed\n");
  git("add -A", path);
  process::capture({"git", "-c", "rebase.autoStash=true", "rebase", "other"}, path);
  const std::vector<std::string> said = work->put_right();
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0],
            "left a rebase unfinished, which is ended, with the files as they are; what it had "
            "stashed is kept as refs/agneto/run1/rescued-1");
  EXPECT_EQ(git("show refs/agneto/run1/rescued-1:greet.sh"), "echo stashed");
  EXPECT_EQ(head(), "refs/heads/agneto/run1");
  EXPECT_THAT(work->put_right(), IsEmpty());
}

TEST_F(PutRight, TheRunsOwnRefsAreMovedByNobodyElse) {
  commit("a.txt");
  const std::string tip = git("rev-parse HEAD", path), refs = git("for-each-ref refs/agneto");
  EXPECT_THAT(work->put_right(), IsEmpty());
  git("update-ref -d refs/agneto/run1/last");
  git("update-ref refs/agneto/run1/base " + tip);
  git("update-ref refs/agneto/run1/forged " + tip);
  git("update-ref -d refs/agneto/run1/checkpoints/T#1+A#1@" + before.substr(0, 16));
  EXPECT_THAT(work->put_right(),
              ElementsAre("changed refs of the run's own, which are as they were again: "
                          "refs/agneto/run1/base, refs/agneto/run1/forged, "
                          "refs/agneto/run1/checkpoints/T#1+A#1@" +
                          before.substr(0, 16) + ", refs/agneto/run1/last"));
  EXPECT_EQ(git("for-each-ref refs/agneto"), refs);

  git("update-ref -d refs/heads/agneto/run1");
  EXPECT_THAT(work->put_right(), ElementsAre("changed refs of the run's own, which are as they "
                                             "were again: refs/heads/agneto/run1"));
  EXPECT_EQ(git("rev-parse agneto/run1"), tip);
  git("symbolic-ref refs/heads/agneto/run1 refs/heads/main");
  work->put_right();
  EXPECT_EQ(git("rev-parse agneto/run1"), tip);
  EXPECT_NE(git("rev-parse main"), tip);
  EXPECT_THAT(open(request())->put_right(), IsEmpty());
}

TEST_F(PutRight, RefsOfOthersAreTheirs) {
  git("branch side");
  git("commit --quiet --allow-empty -m More");
  start("run2")->checkpoint("A#1");
  const std::string refs = git("for-each-ref");
  work->put_right();
  EXPECT_EQ(git("for-each-ref"), refs);
}

TEST_F(PutRight, WhatStartsProgramsIsPutBackInTheConfiguration) {
  git("config filter.lfs.clean cat");
  git("config --add core.editor one");
  work->give_back();
  work->lend(true);
  git("config filter.evil.clean evil", path);
  git("config core.fsmonitor evil", path);
  git("config filter.lfs.clean evil", path);
  git("config --unset core.editor", path);
  git("remote add origin /elsewhere");
  EXPECT_THAT(work->put_right(),
              ElementsAre("changed core.editor, core.fsmonitor, filter.evil.clean, "
                          "filter.lfs.clean in " +
                              (common / "config").string() + ", which is as it was again",
                          "was at work while remote.origin.fetch, remote.origin.url changed in " +
                              (common / "config").string() + "; nobody has put that back"));
  EXPECT_EQ(git("config filter.lfs.clean"), "cat");
  EXPECT_EQ(git("config core.editor"), "one");
  EXPECT_EQ(git("config --default none core.fsmonitor"), "none");
  EXPECT_EQ(git("config remote.origin.url"), "/elsewhere") << "a person may have done that";
  EXPECT_THAT(work->put_right(), IsEmpty());
}

TEST_F(PutRight, AFileThatTheConfigurationIncludesFromNowOnIsIncludedNoMore) {
  write(root / "evil", "[filter \"evil\"]\n\tclean = evil\n[core]\n\tpager = evil\n");
  git("config include.path " + (root / "evil").string(), path);
  EXPECT_THAT(work->put_right(),
              ElementsAre("changed include.path in " + (common / "config").string() +
                          ", which is as it was again"));
  EXPECT_EQ(git("config --default none include.path"), "none");
  EXPECT_EQ(git("config --default none filter.evil.clean"), "none");
}

TEST_F(PutRight, FilesThatTheConfigurationIncludesBelongToIt) {
  const std::string extra = "[alias]\n\tst = status\n";
  write(common / "extra", extra);
  write(common / "more", "");
  git("config include.path extra");
  git("config includeIf.onbranch:topic.path more");
  work->give_back();
  work->lend(true);
  write(common / "extra", extra + "[filter \"evil\"]\n\tclean = evil\n[user]\n\tname = Eve\n");
  write(common / "more", "[core]\n\tpager = evil\n");
  EXPECT_THAT(work->put_right(),
              ElementsAre("changed filter.evil.clean in " + (common / "extra").string() +
                              ", which is as it was again",
                          "was at work while user.name changed in " + (common / "extra").string() +
                              "; nobody has put that back",
                          "changed core.pager in " + (common / "more").string() +
                              ", which is as it was again"));
  EXPECT_EQ(git("config --default none filter.evil.clean"), "none");
  EXPECT_EQ(git("config alias.st"), "status");
}

TEST_F(PutRight, AConfigurationThatGitCannotReadIsPutBack) {
  const std::string then = read(common / "config");
  write(common / "config", "[core\n");
  const std::string changed = (common / "config.changed").string();
  EXPECT_THAT(work->put_right(),
              ElementsAre("made git unable to read " + (common / "config").string() +
                          ", which is as it was again; what it was changed to is in " + changed));
  EXPECT_EQ(read(common / "config"), then);
  EXPECT_EQ(read(changed), "[core\n");
  fs::remove(common / "config");
  EXPECT_THAT(work->put_right(), ElementsAre("deleted " + (common / "config").string() +
                                             ", which is as it was again"));
  EXPECT_EQ(read(common / "config"), then);
}

TEST_F(PutRight, NoProgramOfAChangedConfigurationIsStarted) {
  const fs::path started = root / "started";
  write(root / "evil.sh", "#!/bin/sh\ntouch '" + started.string() + "'\ncat\n");
  fs::permissions(root / "evil.sh", fs::perms::owner_all);
  const std::string evil = (root / "evil.sh").string();
  write(path / ".gitattributes", "* filter=evil\n");
  for (const char* key : {"filter.evil.clean", "core.fsmonitor", "core.sshCommand"}) {
    git(std::string("config ") + key + " " + evil, path);
  }
  write(common / "info/attributes", "* filter=evil\n");
  EXPECT_EQ(work->put_right().size(), 2u);
  work->checkpoint("A#2");
  EXPECT_FALSE(fs::exists(started));
}

TEST_F(PutRight, ARepositoryOfTheAgentsIsNotTakenForTheWorktreesOwn) {
  const fs::path other = root / "other", started = root / "started";
  git("clone --quiet " + repository.string() + " " + other.string());
  git("config filter.evil.clean touch\t" + started.string(), other);
  write(path / ".gitattributes", "* filter=evil\n");
  write(own / "commondir", (other / ".git").string() + "\n");
  EXPECT_NE(thrown([&] { work->since_base(); }), "nothing thrown") << "its branches are others";
  EXPECT_EQ(work->put_right().size(), 1u);
  EXPECT_EQ(read(own / "commondir"), "../..\n");
  EXPECT_THAT(work->since_base().files, ElementsAre(".gitattributes"));
  EXPECT_FALSE(fs::exists(started));
}

// As an engine leaves it that is killed while somebody works.
TEST_F(PutRight, WhoComesAfterAKilledEnginePutsTheConfigurationBackFirst) {
  const fs::path worktrees = path.parent_path(), kept = worktrees / "run1.settings";
  const auto at_work = [](const std::string&) { return true; };
  const auto nobody = [](const std::string&) { return false; };
  EXPECT_EQ(fs::status(kept).permissions(), fs::perms(0600));
  EXPECT_NO_THROW(require_kept_settings(worktrees));
  write(common / "config",
        read(common / "config") + "[filter \"p\"]\n\tclean = \"touch STARTED; cat\"\n");
  git("config user.name Mallory");
  write(common / "info/attributes", "* filter=p\n");
  write(common / "config.worktree", "[core]\n\tfsmonitor = touch STARTED\n");

  const fs::path unfinished = worktrees / "run1.item.settings.27854-1.tmp";
  write(unfinished, "[");
  EXPECT_THAT(put_kept_settings_back(worktrees, at_work), IsEmpty());
  EXPECT_TRUE(fs::exists(unfinished));
  const auto look = [&] { changes_of({repository, path, "run1"}, false); };
  EXPECT_THAT(look, ThrowsMessage<Error>(
                        "while others worked for a run, somebody changed filter.p.clean in " +
                        (common / "config").string() + ", core.fsmonitor in " +
                        (common / "config.worktree").string() + ", " +
                        (common / "info/attributes").string() + ": git may start what that names"));

  const std::string who = "who worked for run run1 when it was killed ";
  EXPECT_THAT(put_kept_settings_back(worktrees, nobody),
              ElementsAre(who + "changed filter.p.clean in " + (common / "config").string() +
                              ", which is as it was again",
                          who + "was at work while user.name changed in " +
                              (common / "config").string() + "; nobody has put that back",
                          who + "changed core.fsmonitor in " +
                              (common / "config.worktree").string() + ", which is as it was again",
                          who + "changed " + (common / "info/attributes").string() +
                              ", which is as it was again; what it was changed to is in " +
                              (common / "info/attributes.changed").string()));
  EXPECT_FALSE(fs::exists(kept));
  EXPECT_FALSE(fs::exists(unfinished));
  EXPECT_EQ(git("config user.name"), "Mallory");
  EXPECT_NO_THROW(look());
  EXPECT_FALSE(fs::exists(path / "STARTED"));
}

TEST_F(PutRight, AFileOfKeptSettingsThatIsNoneStopsNobody) {
  const fs::path worktrees = path.parent_path(), kept = worktrees / "run1.settings";
  for (const char* text : {"", "nonsense", "\x81\x01", "\xa1\x61x\x61y"}) {
    write(kept, text);
    EXPECT_NO_THROW(require_kept_settings(worktrees)) << text;
    EXPECT_THAT(put_kept_settings_back(worktrees, [](const std::string&) { return false; }),
                IsEmpty());
    EXPECT_FALSE(fs::exists(kept));
  }
}

TEST_F(PutRight, ATreeThatIsGivenBackLeavesNothingToPutBack) {
  const fs::path kept = path.parent_path() / "run1.settings";
  EXPECT_TRUE(fs::exists(kept));
  EXPECT_THAT(work->put_right(), IsEmpty());
  work->give_back();
  EXPECT_FALSE(fs::exists(kept));
  git("config core.pager less");
  work->give_back();
  work->lend(false);
  EXPECT_THAT(work->put_right(), IsEmpty()) << "nobody worked when that was changed";
}

// The others have begun when the configuration was changed already.
TEST_F(PutRight, WhatOneChangesIsNotForgottenWhereAnotherBegins) {
  const auto fork = work->fork("item");
  git("config core.pager less");
  fork->lend(true);
  EXPECT_THAT(fork->put_right(),
              ElementsAre("changed core.pager in " + (common / "config").string() +
                          ", which is as it was again"));
}

TEST_F(PutRight, WhatHidesNewFilesIsPutBack) {
  const fs::path exclude = common / "info/exclude";
  const std::string then = read(exclude);
  write(exclude, then + "*.txt\n");
  write(path / "a.txt", "a\n");
  EXPECT_THAT(work->put_right(),
              ElementsAre("changed " + exclude.string() +
                          ", which is as it was again; what it was changed to is in " +
                          exclude.string() + ".changed"));
  EXPECT_EQ(read(exclude), then);
  EXPECT_THAT(work->since_base().files, ElementsAre("a.txt"));
}

TEST_F(PutRight, AHookIsTold) {
  const fs::path hook = common / "hooks/post-checkout";
  write(hook, "#!/bin/sh\n");
  EXPECT_THAT(work->put_right(), ElementsAre("changed the hook " + hook.string() +
                                             ", which is left so: your own git would run it"));
  EXPECT_THAT(work->put_right(), IsEmpty()) << "once";
}

TEST_F(PutRight, TheLinkToTheRepositoryIsBackWhateverStandsInItsPlace) {
  const std::string said = "damaged the worktree's .git, which is as it was again";
  const auto is_back = [&] {
    EXPECT_THAT(work->put_right(), ElementsAre(said));
    EXPECT_EQ(read(path / ".git"), "gitdir: " + own.string() + "\n");
    EXPECT_EQ(status(), "?? a.txt");
  };
  write(path / "a.txt", "a\n");
  fs::remove(path / ".git");
  is_back();
  fs::remove(path / ".git");
  git("init --quiet", path);
  is_back();
  fs::rename(path / ".git", root / "link");
  fs::create_symlink(root / "link", path / ".git");
  is_back();
  write(path / ".git", "gitdir: " + (root / "nowhere").string() + "\n");
  is_back();
}

TEST_F(PutRight, AWorktreeThatGitHasForgottenKeepsItsFiles) {
  write(path / "a.txt", "a\n");
  fs::remove(path / ".git");
  git("worktree prune");
  ASSERT_FALSE(fs::exists(own));
  EXPECT_THAT(work->put_right(),
              ElementsAre("took the worktree out of the repository, where it is again"));
  EXPECT_EQ(status(), "?? a.txt");
  EXPECT_EQ(head(), "refs/heads/agneto/run1");
  EXPECT_THAT(work->since_base().files, ElementsAre("a.txt"));
  EXPECT_THAT(work->put_right(), IsEmpty());
}

TEST_F(PutRight, ChangesThatAreHiddenFromGitAreSeen) {
  for (const char* option : {"--assume-unchanged", "--skip-worktree"}) {
    git(std::string("update-index ") + option + " greet.sh", path);
    write(path / "greet.sh", std::string("echo ") + option + "\n");
    ASSERT_EQ(status(), "");
    EXPECT_THAT(work->put_right(),
                ElementsAre("hid changes of greet.sh from git (assume-unchanged, skip-worktree), "
                            "which are seen again"));
    EXPECT_TRUE(work->changed_since(before));
    EXPECT_EQ(status(), " M greet.sh");
    work->restore(before);
  }
  git("update-index --skip-worktree greet.sh", path);
  fs::remove(path / "greet.sh");
  EXPECT_TRUE(work->changed_since(before)) << "whoever asks";
  EXPECT_EQ(work->put_right().size(), 1u) << "it is told at the next occasion";
}

TEST_F(PutRight, ASparseCheckoutOfTheUsersStays) {
  work->give_back();
  git("sparse-checkout set --cone --sparse-index docs");
  auto sparse = start("sparse");
  sparse->lend(true);
  write(sparse->path() / "docs/more.md", "more\n");
  const bool left_out = !fs::exists(sparse->path() / "greet.sh");
  EXPECT_THAT(sparse->put_right(), IsEmpty());
  EXPECT_EQ(fs::exists(sparse->path() / "greet.sh"), !left_out);
  EXPECT_THAT(sparse->since_base().files, ElementsAre("docs/more.md"));
  EXPECT_THAT(sparse->commit("One", "C#1").files, ElementsAre("docs/more.md"));
}

// Such a file is not in the worktree until somebody makes it.
TEST_F(PutRight, ChangesOutsideOfASparseCheckoutAreBroughtBackAsAllOthersAre) {
  write(repository / "src/util.txt", "util\n");
  write(repository / "src/gone.txt", "gone\n");
  git("add -A");
  git("commit --quiet -m More");
  for (const char* kind : {"--cone docs", "--cone --sparse-index docs", "--no-cone docs/"}) {
    git(std::string("sparse-checkout set ") + kind);
    auto sparse = start("sparse");
    const fs::path tree = sparse->path();
    const std::string begun = sparse->checkpoint("T#1/A#1");
    ASSERT_FALSE(fs::exists(tree / "src/util.txt"));
    write(tree / "src/util.txt", "changed\n");
    write(tree / "src/new.txt", "new\n");
    git("rm --quiet --sparse src/gone.txt", tree);
    const std::string changed = sparse->checkpoint("T#1/A#2");
    const auto expect_all = [&](const char* when) {
      EXPECT_THAT(sparse->since_last_commit().files,
                  ElementsAre("src/gone.txt", "src/new.txt", "src/util.txt"))
          << kind << when;
    };
    expect_all("at first");
    sparse->restore(begun);
    EXPECT_THAT(sparse->since_last_commit().files, IsEmpty()) << kind;
    sparse->restore(changed);
    expect_all("after a restore");
    EXPECT_EQ(read(tree / "src/util.txt"), "changed\n");
    EXPECT_FALSE(sparse->changed_since(changed)) << kind;
    sparse.reset();
    sparse = open({repository, tree, "sparse", ""});
    EXPECT_FALSE(sparse->changed_since(changed)) << kind;
    fs::remove_all(tree);
    sparse->restore(changed);
    expect_all("after it was deleted");
    sparse.reset();
    remove({repository, tree, "sparse", ""});
  }
}

TEST_F(PutRight, ALinkInPlaceOfTheWorktreeOrOfAFolderAroundItIsNotWorkedIn) {
  write(path / "a.txt", "a\n");
  const std::string checkpoint = work->checkpoint("P#1");
  write(root / "precious/file.txt", "mine\n");
  fs::rename(path, root / "moved");
  fs::create_directory_symlink(root / "precious", path);
  EXPECT_FALSE(work->intact());
  EXPECT_THAT(work->put_right(), IsEmpty());
  work->restore(checkpoint);
  EXPECT_EQ(read(path / "a.txt"), "a\n");

  const fs::path worktrees = path.parent_path(), elsewhere = root / "elsewhere";
  write(elsewhere / "run1/file.txt", "mine\n");
  fs::rename(worktrees, root / "worktrees");
  fs::create_directory_symlink(elsewhere, worktrees);
  EXPECT_FALSE(work->intact());
  EXPECT_EQ(thrown([&] { work->restore(checkpoint); }),
            path.string() + ": a link leads from here to " + (elsewhere / "run1").string() +
                ", where the run has not worked | remove that link, and put the folder back in "
                "which the run has worked");
  EXPECT_EQ(thrown([&] { open(request()); }).substr(0, path.string().size()), path.string());
  EXPECT_EQ(read(elsewhere / "run1/file.txt"), "mine\n");
  EXPECT_EQ(read(root / "precious/file.txt"), "mine\n");
}

TEST_F(PutRight, AFolderOfRunsThatTheUserHasPutElsewhereIsWorkedIn) {
  fs::create_directories(root / "disk/runs");
  fs::create_directory_symlink(root / "disk/runs", repository / ".agneto/linked");
  const Create there{repository, repository / ".agneto/linked/run3", "run3", ""};
  auto linked = create(there);
  write(linked->path() / "a.txt", "a\n");
  EXPECT_TRUE(linked->intact());
  EXPECT_THAT(linked->put_right(), IsEmpty());
  linked->restore(linked->checkpoint("A#1"));
  EXPECT_TRUE(open(there)->intact());
}

TEST_F(PutRight, AReplacedObjectIsNotTakenForTheOneThatIsMerged) {
  const std::string blob = git("rev-parse main:greet.sh");
  write(root / "other", "echo replaced\n");
  git("replace " + blob + " " + git("hash-object -w " + (root / "other").string()));
  fs::remove(path / "greet.sh");
  work->restore(before);
  EXPECT_EQ(read(path / "greet.sh"), "echo hello\n");
}

TEST(Settings, ThatStartProgramsOrDecideWhatGitSeesAreGuarded) {
  for (const char* key :
       {"core.fsmonitor", "filter.x.y.clean", "diff.external", "alias.st", "diff.x.textconv",
        "merge.x.driver", "include.path", "extensions.x", "remote.origin.uploadpack"}) {
    EXPECT_TRUE(is_guarded(key)) << key;
  }
  for (const char* key :
       {"remote.origin.url", "branch.main.merge", "user.name", "pull.rebase",
        "branch.core.x.remote", "core.sparsecheckout", "extensions.worktreeconfig"}) {
    EXPECT_FALSE(is_guarded(key)) << key;
  }
}

}  // namespace
}  // namespace agneto::workspace
