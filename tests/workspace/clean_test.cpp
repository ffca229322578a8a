#include "workspace/clean.h"

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>

#include "workspace/inspect.h"
#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Clean : public Throwaway {
 protected:
  fs::path worktrees() const { return repository / ".agneto/worktrees"; }
  Cleaning cleaning(const std::string& run = "run1") const {
    Cleaning cleaning;
    cleaning.repository = repository;
    cleaning.worktrees = worktrees();
    cleaning.run = run;
    cleaning.into = {"main"};
    return cleaning;
  }
  // A run that has committed a file, and checkpointed.
  std::unique_ptr<Workspace> worked(const std::string& run = "run1") {
    auto workspace = start(run);
    write(workspace->path() / "new.txt", "new\n");
    workspace->checkpoint("CALL#1");
    EXPECT_EQ(workspace->commit("Add a file", run + "/COMMIT#1").kind, Result::Kind::ok);
    return workspace;
  }
  std::string tip(const std::string& run = "run1") const {
    return git("rev-parse --short=12 agneto/" + run);
  }
  std::string refs() const {
    return git("for-each-ref --format=%(refname) refs/agneto refs/heads");
  }
  std::string removed_branch(const std::string& at, const std::string& run = "run1") const {
    return "branch agneto/" + run + " (was " + at + ")";
  }
};

TEST_F(Clean, AMergedRunIsRemovedWhole) {
  auto workspace = worked();
  ASSERT_EQ(workspace->merge({"", "Add a file", true, "run1/MERGE#1"}).kind, Result::Kind::ok);
  workspace.reset();
  const std::string at = tip();
  const Cleaned done = clean(cleaning());
  EXPECT_THAT(done.removed, ElementsAre("worktree " + (worktrees() / "run1").string(),
                                        removed_branch(at), "3 refs under refs/agneto/run1"));
  EXPECT_THAT(done.kept, IsEmpty());
  EXPECT_EQ(refs(), "refs/heads/main");
  EXPECT_FALSE(fs::exists(worktrees() / "run1"));
  EXPECT_EQ(git("worktree list --porcelain").find("run1"), std::string::npos);
  const Cleaned again = clean(cleaning());
  EXPECT_THAT(again.removed, IsEmpty());
  EXPECT_THAT(again.kept, IsEmpty());
}

TEST_F(Clean, AnUnmergedBranchStaysWithItsRefs) {
  worked().reset();
  const std::string before = refs();
  const Cleaned done = clean(cleaning());
  EXPECT_THAT(done.removed, ElementsAre("worktree " + (worktrees() / "run1").string()));
  EXPECT_THAT(done.kept, ElementsAre("branch agneto/run1: it has 1 commit that is not in main"));
  EXPECT_EQ(refs(), before);
}

TEST_F(Clean, WhatALinkAroundTheWorktreeLeadsToStays) {
  worked().reset();
  const fs::path victim = root / "victim", worktree = worktrees() / "run1";
  write(victim / "run1/precious.txt", "mine\n");
  fs::rename(worktrees(), root / "aside");
  fs::create_directory_symlink(victim, worktrees());
  const std::string led = worktree.string() + ": a link leads from here to " +
                          (victim / "run1").string() + ", where the run has not worked";
  const Place place{repository, worktree, "run1"};
  EXPECT_EQ(thrown([&] { changes_of(place, false); }),
            led + " | remove that link, and put the folder back in which the run has worked");
  EXPECT_EQ(inspect(place, {}).leads_to, victim / "run1");
  Cleaning cleaning = this->cleaning();
  cleaning.force = true;
  EXPECT_THAT(clean(cleaning).kept,
              ElementsAre("worktree " + led, "branch agneto/run1: its worktree is kept"));
  remove(request());
  EXPECT_EQ(read(victim / "run1/precious.txt"), "mine\n");
}

TEST_F(Clean, OfALinkInPlaceOfTheWorktreeOnlyTheLinkGoes) {
  worked().reset();
  const fs::path worktree = worktrees() / "run1";
  write(root / "victim/precious.txt", "mine\n");
  fs::remove_all(worktree);
  fs::create_directory_symlink(root / "victim", worktree);
  Cleaning cleaning = this->cleaning();
  cleaning.force = true;
  EXPECT_THAT(clean(cleaning).kept, IsEmpty());
  EXPECT_FALSE(fs::is_symlink(worktree));
  EXPECT_EQ(read(root / "victim/precious.txt"), "mine\n");
}

TEST_F(Clean, ByForceEverythingGoes) {
  auto workspace = worked();
  write(workspace->path() / "uncommitted.txt", "x");
  workspace.reset();
  Cleaning all = cleaning();
  all.force = true;
  EXPECT_THAT(clean(all).kept, IsEmpty());
  EXPECT_EQ(refs(), "refs/heads/main");
}

TEST_F(Clean, WhatWasPutAsideCanBeFoundByItsId) {
  auto workspace = worked();
  const std::string checkpoint = workspace->checkpoint("CALL#2");
  write(workspace->path() / "new.txt", "mine\n");
  const std::string aside = workspace->rescue(checkpoint);
  ASSERT_EQ(aside, "refs/agneto/run1/rescued-1");
  workspace->restore(checkpoint);
  ASSERT_EQ(workspace->merge({"", "Add a file", true, "run1/MERGE#1"}).kind, Result::Kind::ok);
  workspace.reset();
  const std::string at = tip();
  const std::string id = git("rev-parse --short=12 " + aside);
  EXPECT_THAT(clean(cleaning()).removed,
              ElementsAre("worktree " + (worktrees() / "run1").string(), removed_branch(at),
                          aside + " (was " + id + ")", "5 refs under refs/agneto/run1"));
  EXPECT_EQ(git("show " + id + ":new.txt"), "mine");
}

TEST_F(Clean, ChangesThatAreNotCommittedKeepTheWorktreeAndItsBranch) {
  auto workspace = worked();
  ASSERT_EQ(workspace->merge({"", "Add a file", true, "run1/MERGE#1"}).kind, Result::Kind::ok);
  write(workspace->path() / "uncommitted.txt", "x");
  workspace.reset();
  const std::string before = refs();
  EXPECT_THAT(clean(cleaning()).kept, ElementsAre("worktree " + (worktrees() / "run1").string() +
                                                      ": it has changes that are not committed",
                                                  "branch agneto/run1: its worktree is kept"));
  EXPECT_EQ(refs(), before);
  Cleaning without = cleaning();
  without.discard_uncommitted = true;
  EXPECT_THAT(clean(without).kept, IsEmpty());
  EXPECT_EQ(refs(), "refs/heads/main");
}

TEST_F(Clean, ABranchThatAPersonSquashedCountsAsMerged) {
  worked().reset();
  git("merge --squash --quiet agneto/run1");
  git("commit --quiet -m Mine");
  EXPECT_THAT(clean(cleaning()).kept, IsEmpty());
}

TEST_F(Clean, WhatTheEngineMergedCountsAsMergedThoughItWasChangedSince) {
  auto workspace = worked();
  const Result merged = workspace->merge({"", "Add a file", true, "run1/MERGE#1"});
  workspace.reset();
  write(repository / "new.txt", "quite different\n");
  git("commit --quiet -a -m Later");
  EXPECT_EQ(clean(cleaning()).kept.size(), 1u);
  Cleaning known = cleaning();
  known.merges = {merged.commit};
  EXPECT_THAT(clean(known).kept, IsEmpty());
}

TEST_F(Clean, ACommitAfterTheMergeKeepsTheBranch) {
  auto workspace = worked();
  const Result merged = workspace->merge({"", "Add a file", true, "run1/MERGE#1"});
  write(workspace->path() / "mine.txt", "mine\n");
  git("add -A", workspace->path());
  git("commit --quiet -m Mine", workspace->path());
  workspace.reset();
  Cleaning known = cleaning();
  known.merges = {merged.commit};
  EXPECT_THAT(clean(known).kept,
              ElementsAre("branch agneto/run1: it has 2 commits that are not in main"));
}

TEST_F(Clean, ABranchThatSomebodyHasCheckedOutStaysEvenByForce) {
  worked().reset();
  git("worktree remove --force .agneto/worktrees/run1");
  git("worktree add --quiet ../elsewhere agneto/run1");
  Cleaning all = cleaning();
  all.force = true;
  EXPECT_THAT(clean(all).kept, ElementsAre("branch agneto/run1: it is checked out in " +
                                           (root / "elsewhere").string()));
}

TEST_F(Clean, WhereNobodyKnowsTheBranchItsWorkMayBeIn) {
  worked().reset();
  Cleaning unknown = cleaning();
  unknown.into = {""};
  EXPECT_THAT(clean(unknown).kept,
              ElementsAre("branch agneto/run1: it has 1 commit that is not in any branch"));
}

TEST_F(Clean, ItemsAndNobodyElse) {
  auto workspace = start("run1");
  auto other = worked("run12");
  auto item = workspace->fork("PANEL#1[1]");
  write(item->path() / "item.txt", "item\n");
  item->commit("An item", "run1/PANEL#1[1]/COMMIT#1");
  item.reset();
  workspace.reset();
  other.reset();
  const std::string name = "agneto/run1.PANEL.1.1";
  const Cleaned done = clean(cleaning());
  EXPECT_THAT(done.kept, ElementsAre("branch " + name + ": it has 1 commit that is not in main"));
  EXPECT_EQ(git("branch --list --format=%(refname:short)"), name + "\nagneto/run12\nmain");
  EXPECT_TRUE(fs::exists(worktrees() / "run12"));
}

TEST_F(Clean, ADryRunChangesNothing) {
  worked().reset();
  const std::string before = refs(), at = tip();
  Cleaning dry = cleaning();
  dry.force = dry.dry_run = true;
  EXPECT_THAT(clean(dry).removed, ElementsAre("worktree " + (worktrees() / "run1").string(),
                                              removed_branch(at), "3 refs under refs/agneto/run1"));
  EXPECT_EQ(refs(), before);
  EXPECT_TRUE(fs::exists(worktrees() / "run1"));
}

// ---- What a run has changed, and how it stands

class Inspect : public Clean {
 protected:
  Place place() const { return {repository, worktrees() / "run1", "run1"}; }
  std::string names(bool committed) const {
    const Range range = changes_of(place(), committed);
    return git("diff --name-only " + range.from + " " + range.to);
  }
};

TEST_F(Inspect, ChangesAreThoseOfTheWorktreeWhereItIsThere) {
  auto workspace = worked();
  write(workspace->path() / "untracked.txt", "x");
  write(workspace->path() / "ignored.o", "x");
  fs::remove(workspace->path() / "greet.sh");
  const std::string status = git("status --porcelain", workspace->path());
  EXPECT_EQ(names(false), "greet.sh\nnew.txt\nuntracked.txt");
  EXPECT_EQ(names(true), "new.txt");
  EXPECT_EQ(git("status --porcelain", workspace->path()), status);
  workspace.reset();
  fs::remove_all(worktrees() / "run1");
  EXPECT_EQ(names(false), "new.txt");
  git("update-ref -d refs/heads/agneto/run1");
  EXPECT_EQ(names(false), "new.txt");
}

TEST_F(Inspect, OfACleanedRunThereAreNone) {
  EXPECT_EQ(thrown([&] { changes_of(place(), false); }),
            "where run run1 started is not known any more: refs/agneto/run1/base is gone | it was "
            "cleaned; its merge, if there was one, is in 'git log'");
}

TEST_F(Inspect, SaysWhatIsThereAndWhatIsMissing) {
  const std::string none(40, '1');
  auto workspace = worked();
  const std::string checkpoint = workspace->checkpoint("CALL#2");
  workspace.reset();
  Inspection found = inspect(place(), {checkpoint, none});
  EXPECT_TRUE(found.folder && found.registered && found.base);
  EXPECT_EQ(found.tip, git("rev-parse agneto/run1"));
  EXPECT_EQ(found.last, found.tip);
  EXPECT_EQ(found.checked_out, "");
  EXPECT_THAT(found.missing, ElementsAre(none));

  git("worktree remove --force .agneto/worktrees/run1");
  git("checkout --quiet agneto/run1");
  found = inspect(place(), {});
  EXPECT_FALSE(found.folder || found.registered);
  EXPECT_EQ(found.checked_out, repository.string());
}

TEST_F(Inspect, AMovedRepositoryHasItsUncommittedWork) {
  worked().reset();
  write(repository / ".agneto/worktrees/run1/new.txt", "new\n");
  const Range before = changes_of(place(), false);
  fs::rename(repository, root / "moved");
  repository = root / "moved";
  EXPECT_EQ(changes_of(place(), false).to, before.to);
  const Inspection found = inspect(place(), {});
  EXPECT_TRUE(found.folder && found.moved);
  EXPECT_FALSE(found.registered);
  EXPECT_EQ(found.checked_out, "");
}

TEST_F(Inspect, SeesLocksThatAGitHasLeft) {
  start()->checkpoint("A#1");
  EXPECT_THAT(inspect(place(), {}).locks, IsEmpty());
  const fs::path git_folder = fs::canonical(repository / ".git");
  const std::vector<fs::path> left = {git_folder / "refs/agneto/run1/last.lock",
                                      git_folder / "refs/heads/agneto/run1.P.1.lock",
                                      git_folder / "worktrees/run1/index.lock"};
  for (const fs::path& lock : left) write(lock, "");
  write(git_folder / "refs/heads/agneto/other.lock", "");
  EXPECT_EQ(inspect(place(), {}).locks, left);
}

// As a git has left it that was killed while it made the worktree.
TEST_F(Clean, AWorktreeThatIsLockedIsRemovedToo) {
  start()->checkpoint("A#1");
  const fs::path entry = repository / ".git/worktrees/run1";
  write(entry / "locked", "initializing");
  fs::remove_all(worktrees() / "run1");
  EXPECT_EQ(clean(cleaning()).removed.front(),
            "what git had of the worktree " + (worktrees() / "run1").string());
  EXPECT_FALSE(fs::exists(entry));

  start("run2")->checkpoint("A#1");
  const fs::path early = repository / ".git/worktrees/run2";
  write(early / "locked", "initializing");
  fs::remove(early / "gitdir");
  remove(request("run2"));
  EXPECT_FALSE(fs::exists(early));
  EXPECT_EQ(refs(), "refs/heads/main");
}

TEST_F(Clean, TracesOfRunsAreFoundInRefsFoldersAndEntries) {
  start("a")->fork("PANEL#1[2]");
  git("tag v1");
  start("b", "v1");
  fs::create_directories(worktrees() / "c");
  write(worktrees() / "d.lock", "");
  start("e");
  fs::remove_all(worktrees() / "e");
  for (const auto& ref : {"base", "last"}) git(std::string("update-ref -d refs/agneto/e/") + ref);
  git("branch agneto/f");
  std::vector<std::string> found;
  for (const Trace& trace : traces_of_runs(repository, worktrees())) {
    found.push_back(trace.run + " " + trace.base);
  }
  EXPECT_THAT(found, ElementsAre("a main", "b ", "c ", "e "));
}

}  // namespace
}  // namespace agneto::workspace
