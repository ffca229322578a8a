#include "workspace/branch_work.h"

#include <gmock/gmock.h>

#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

class Look : public Throwaway {
 protected:
  std::string log_command(const std::string& base) {
    return branch_work(repository, base, "agneto/run1").log_command;
  }
  bool merged(const std::string& base) {
    return branch_work(repository, base, "agneto/run1").merged;
  }
  void commit(Workspace& work) {
    write(work.path() / "a.txt", "a\n");
    work.commit("Add a", "C#1");
  }
};

TEST_F(Look, ThereIsNothingToSeeWithoutCommits) {
  auto work = start();
  EXPECT_EQ(log_command("main"), "");
  write(work->path() / "a.txt", "not committed\n");
  EXPECT_EQ(log_command("main"), "");
  EXPECT_EQ(branch_work(repository, "main", "").log_command, "");
  EXPECT_EQ(branch_work(repository, "main", "agneto/gone").log_command, "");
  EXPECT_EQ(branch_work(root / "nowhere", "main", "agneto/run1").log_command, "");
}

TEST_F(Look, WhatWasPutAsideIsShownAgainstWhatWasThereThen) {
  auto work = start();
  EXPECT_THAT(branch_work(repository, "main", "agneto/run1").kept, ::testing::IsEmpty());
  const std::string before = work->checkpoint("C#1");
  write(work->path() / "a.txt", "half done\n");
  work->rescue(before);
  EXPECT_THAT(branch_work(repository, "main", "agneto/run1").kept,
              ::testing::ElementsAre("git diff refs/agneto/run1/rescued-1^ "
                                     "refs/agneto/run1/rescued-1"));
  EXPECT_THAT(git("diff refs/agneto/run1/rescued-1^ refs/agneto/run1/rescued-1"),
              ::testing::HasSubstr("+half done"));
}

TEST_F(Look, WhatIsNotCommittedIsNamedWithItsFolder) {
  auto work = start();
  commit(*work);
  EXPECT_EQ(branch_work(repository, "main", "agneto/run1").left, "");
  write(work->path() / "a.txt", "other\n");
  write(work->path() / "new/b c.txt", "new\n");
  EXPECT_EQ(branch_work(repository, "main", "agneto/run1").left,
            "a.txt, new/b c.txt in " + work->path().string());
  fs::remove_all(work->path());
  const BranchWork gone = branch_work(repository, "main", "agneto/run1");
  EXPECT_EQ(gone.left, "");
  EXPECT_EQ(gone.log_command, "git log -p main..agneto/run1");
}

TEST_F(Look, NothingThatAnAgentHasConfiguredIsStarted) {
  const fs::path started = root / "started";
  write(root / "filter.sh", "touch '" + started.string() + "'; cat\n");
  const std::string filter = "sh\t" + (root / "filter.sh").string();
  auto work = start();
  const fs::path inner = work->path() / "inner";
  git("init --quiet inner", work->path());
  write(inner / ".gitattributes", "* filter=own\n");
  write(inner / "file.txt", "1\n");
  git("add -A", inner);
  git("-c user.name=Eve -c user.email=eve@example.org commit --quiet -m Inner", inner);
  git("add inner", work->path());
  git("config filter.own.clean " + filter, inner);
  write(inner / "file.txt", "2\n");  // as long as before, so that git reads it
  const auto left = [&] { return branch_work(repository, "main", "agneto/run1").left; };
  EXPECT_EQ(left(), "inner in " + work->path().string());

  fs::rename(work->path() / ".git", root / "link");
  fs::rename(inner / ".git", work->path() / ".git");
  fs::remove_all(inner);
  write(work->path() / ".gitattributes", "* filter=own\n");
  EXPECT_EQ(left(), "inner, .gitattributes in " + work->path().string());
  fs::remove_all(work->path() / ".git");
  fs::rename(root / "link", work->path() / ".git");

  work->lend(true);  // and the engine is killed
  git("config filter.own.clean " + filter);
  write(work->path() / "greet.sh", "echo jello\n");
  EXPECT_EQ(left(), "");
  EXPECT_FALSE(fs::exists(started));
}

TEST_F(Look, CommitsAreSinceTheBaseBranch) {
  auto work = start();
  commit(*work);
  EXPECT_EQ(log_command("main"), "git log -p main..agneto/run1");
}

// Whatever it says can be run.
TEST_F(Look, WhereTheBaseBranchIsGoneTheyAreSinceTheCommitItHad) {
  git("branch topic");
  auto work = start("run1", "topic");
  commit(*work);
  git("branch -D topic");
  const std::string start = git("rev-parse --short=12 main");
  EXPECT_EQ(log_command("topic"), "git log -p " + start + "..agneto/run1");
  git("log -p " + start + "..agneto/run1");
}

TEST_F(Look, ACommitAsTheBaseIsShort) {
  const std::string commit_id = git("rev-parse main");
  auto work = start("run1", commit_id);
  commit(*work);
  EXPECT_EQ(log_command(commit_id), "git log -p " + commit_id.substr(0, 12) + "..agneto/run1");
}

TEST_F(Look, ABranchIsMergedWhereItsBaseHasItsWork) {
  auto work = start();
  EXPECT_FALSE(merged("main")) << "there is no work";
  commit(*work);
  EXPECT_FALSE(merged("main"));
  git("merge --squash --quiet agneto/run1");
  git("commit --quiet -m squashed");
  EXPECT_TRUE(merged("main"));
  write(work->path() / "b.txt", "b\n");
  work->commit("Add b", "C#2");
  EXPECT_FALSE(merged("main")) << "it has gone on";
  git("merge --quiet --no-edit agneto/run1");
  EXPECT_TRUE(merged("main"));
  EXPECT_EQ(log_command("main"), "");
}

}  // namespace
}  // namespace agneto::workspace
