#include "run/sandbox/private_git.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "process/git.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

namespace fs = std::filesystem;
using testing::error_of;
using testing::TemporaryFolder;

class PrivateGitTest : public ::testing::TestWithParam<const char*> {
 protected:
  PrivateGitTest() {
    git_.text(
        {"init", "--quiet", "--initial-branch=main", std::string("--object-format=") + GetParam()});
    git_.text({"config", "user.name", "me"});
    std::ofstream(repository_ / "a.txt") << "a\n";
    git_.text({"add", "-A"});
    git_.text({"-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "Begin"});
    git_.text({"worktree", "add", "--quiet", "-b", "work", tree().string()});
  }
  fs::path tree() const { return folder_ / "tree"; }
  // Puts it where a sandbox shows it.
  void take(const PrivateGit& git) {
    fs::copy_file(git.link(), tree() / ".git", fs::copy_options::overwrite_existing);
  }

  TemporaryFolder folder_;
  const fs::path repository_ = [this] {
    fs::create_directory(folder_ / "repository");
    return folder_ / "repository";
  }();
  const process::Git git_{repository_};
};

TEST_P(PrivateGitTest, BeginsAsTheWorktreeIsAndLeavesTheRepositoryAlone) {
  const std::string before = git_.text({"for-each-ref"});
  {
    const PrivateGit git(folder_ / "gits", repository_ / ".git", tree(),
                         private_git_config(repository_ / ".git"));
    take(git);
    const process::Git there(tree());
    EXPECT_EQ(there.text({"status", "--porcelain"}), "");
    EXPECT_EQ(there.text({"symbolic-ref", "HEAD"}), "refs/heads/work");
    EXPECT_EQ(there.text({"log", "--format=%s", "main"}), "Begin");
    std::ofstream(tree() / "a.txt") << "b\n";
    there.text({"commit", "--quiet", "-a", "-m", "Mine"});
    EXPECT_EQ(there.text({"log", "--format=%s %an"}), "Mine me\nBegin a");
    EXPECT_EQ(git_.run({"cat-file", "-e", there.text({"rev-parse", "HEAD"})}).status, 1);
  }
  EXPECT_TRUE(fs::is_empty(folder_ / "gits"));
  EXPECT_EQ(git_.text({"for-each-ref"}), before);
}

INSTANTIATE_TEST_SUITE_P(Formats, PrivateGitTest, ::testing::Values("sha1", "sha256"));

TEST(PrivateGit, IsOfAWorktree) {
  const TemporaryFolder folder;
  process::Git(folder.path()).text({"init", "--quiet"});
  EXPECT_EQ(error_of([&] { PrivateGit(folder / "gits", folder / ".git", folder / "none", ""); }),
            "the worktree " + (folder / "none").string() + " has no git folder");
}

}  // namespace
}  // namespace agneto::run
