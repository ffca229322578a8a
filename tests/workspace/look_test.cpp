#include "workspace/look.h"

#include "throwaway.h"

namespace agneto::workspace {
namespace {

class Look : public Throwaway {
 protected:
  std::string look(const std::string& base) {
    return look_command(repository, base, "agneto/run1");
  }
  void commit(Workspace& work) {
    write(work.path() / "a.txt", "a\n");
    work.commit("Add a", "C#1");
  }
};

TEST_F(Look, ThereIsNothingToSeeWithoutCommits) {
  auto work = start();
  EXPECT_EQ(look("main"), "");
  write(work->path() / "a.txt", "not committed\n");
  EXPECT_EQ(look("main"), "");
  EXPECT_EQ(look_command(repository, "main", ""), "");
  EXPECT_EQ(look_command(repository, "main", "agneto/gone"), "");
  EXPECT_EQ(look_command(root / "nowhere", "main", "agneto/run1"), "");
}

TEST_F(Look, CommitsAreSinceTheBaseBranch) {
  auto work = start();
  commit(*work);
  EXPECT_EQ(look("main"), "git log -p main..agneto/run1");
}

// Whatever it says can be run.
TEST_F(Look, WhereTheBaseBranchIsGoneTheyAreSinceTheCommitItHad) {
  git("branch topic");
  auto work = start("run1", "topic");
  commit(*work);
  git("branch -D topic");
  const std::string start = git("rev-parse --short=12 main");
  EXPECT_EQ(look("topic"), "git log -p " + start + "..agneto/run1");
  git("log -p " + start + "..agneto/run1");
}

TEST_F(Look, ACommitAsTheBaseIsShort) {
  const std::string commit_id = git("rev-parse main");
  auto work = start("run1", commit_id);
  commit(*work);
  EXPECT_EQ(look(commit_id), "git log -p " + commit_id.substr(0, 12) + "..agneto/run1");
}

}  // namespace
}  // namespace agneto::workspace
