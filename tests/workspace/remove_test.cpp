#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

using Remove = Throwaway;

TEST_F(Remove, LeavesTheRepositoryAsItWas) {
  const std::string before = git("for-each-ref", repository);
  const Create request{repository, repository / ".agneto/worktrees/r", "r", ""};
  auto made = create(request);
  write(made->path() / "new.txt", "new");
  made->checkpoint("a call");
  made.reset();

  remove(request);

  EXPECT_EQ(git("for-each-ref", repository), before);
  EXPECT_FALSE(fs::exists(request.worktree));
  EXPECT_EQ(git("worktree list --porcelain", repository).find("worktrees/r"), std::string::npos);
}

TEST_F(Remove, OfWhatWasNeverMadeDoesNothing) {
  const std::string before = git("for-each-ref", repository);
  remove({repository, repository / ".agneto/worktrees/r", "r", ""});
  EXPECT_EQ(git("for-each-ref", repository), before);
}

}  // namespace
}  // namespace agneto::workspace
