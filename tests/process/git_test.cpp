#include "process/git.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace agneto::process {
namespace {

namespace fs = std::filesystem;
using agneto::testing::TemporaryFolder;

Captured failed_with(const std::string& words) {
  Captured result;
  result.status = 128;
  result.error = words;
  return result;
}

// What git 2.39 says on a full file system, as far as it says so.
TEST(Git, KnowsWhenThereIsNoRoom) {
  const Git git(std::filesystem::temp_directory_path());
  for (const char* words :
       {"error: unable to write file a: No space left on device", "fatal: Out of diskspace",
        "error: file write error: Disk quota exceeded"}) {
    EXPECT_THROW(git.require_room(failed_with(words), "add"), DiskFull) << words;
  }
  EXPECT_NO_THROW(git.require_room(failed_with("fatal: bad revision 'x'"), "log"));
  EXPECT_NO_THROW(git.require_room({}, "log")) << "it has not failed";
}

class GitAtAPipe : public ::testing::Test {
 protected:
  GitAtAPipe() {
    git.text({"init", "--quiet"});
    std::ofstream(folder.path() / "a.txt") << "a\n";
    git.text({"add", "-A"});
  }
  // Is it removed, as `git status` waits at it?
  bool is_removed(const fs::path& pipe) {
    fs::remove(pipe);
    fs::create_directories(pipe.parent_path());
    if (mkfifo(pipe.c_str(), 0600) != 0) return false;
    git.run({"status", "--untracked-files=all"});
    return !fs::exists(pipe);
  }

  TemporaryFolder folder;
  const Git git{folder.path()};
};

TEST_F(GitAtAPipe, DoesNotWaitForEver) {
  EXPECT_TRUE(is_removed(folder.path() / ".gitattributes"));
  EXPECT_TRUE(is_removed(folder.path() / "sub/.gitignore"));
  EXPECT_TRUE(is_removed(folder.path() / ".git/info/exclude"));
  EXPECT_TRUE(is_removed(folder.path() / ".git/HEAD"));
}

TEST_F(GitAtAPipe, LeavesPipesOfOthersAlone) {
  const fs::path others = folder.path() / "others";
  ASSERT_EQ(mkfifo(others.c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((folder.path() / ".git/mine").c_str(), 0600), 0);
  EXPECT_TRUE(is_removed(folder.path() / ".gitattributes"));
  EXPECT_TRUE(fs::exists(others));
  EXPECT_TRUE(fs::exists(folder.path() / ".git/mine"));
}

}  // namespace
}  // namespace agneto::process
