#include "process/git.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "support.h"
#include "support/errors.h"

namespace agneto::process {
namespace {

namespace fs = std::filesystem;
using agneto::testing::error_of;

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

class OtherGit : public ::testing::Test {
 protected:
  void SetUp() override { setenv("PATH", (folder.path().string() + ":" + path).c_str(), 1); }
  void TearDown() override { setenv("PATH", path.c_str(), 1); }
  std::string error_of_one_that(const std::string& text) {
    write_script(folder.path() / "git", "#!/bin/sh\n" + text);
    return error_of([&] { git.run({"status"}); });
  }

  const std::string path = getenv("PATH");
  TemporaryFolder folder;
  const Git git{folder.path()};
};

TEST_F(OtherGit, IsAtWorkForTenMinutesAtMost) {
  EXPECT_EQ(error_of_one_that("until [ \"$(ulimit -t)\" = 600 ]; do sleep 0.02; done\n"
                              "kill -XCPU $$\n"),
            "git status did not come to an end in " + folder.path().string() +
                ": it was at work for 10m\n"
                "patterns in a .gitignore or a .gitattributes there may be why");
}

TEST_F(OtherGit, IsEndedByAStop) {
  std::stop_source stop;
  stop.request_stop();
  const GitHeeds heeds(stop.get_token(), Millis(0));
  EXPECT_EQ(error_of_one_that("exec sleep 1000\n"), "git status was ended by signal 15");
}

class GitAtAPipe : public ::testing::Test {
 protected:
  GitAtAPipe() {
    git.text({"init", "--quiet"});
    std::ofstream(folder.path() / "a.txt") << "a\n";
    git.text({"add", "-A"});
  }
  // Its text is looked at, for which git reads attributes.
  void status() {
    fs::last_write_time(folder.path() / "a.txt", later += std::chrono::seconds(10));
    git.run({"status", "--untracked-files=all"});
  }
  // Is it removed, as `git status` waits at it?
  bool is_removed(const fs::path& pipe) {
    fs::remove(pipe);
    fs::create_directories(pipe.parent_path());
    if (mkfifo(pipe.c_str(), 0600) != 0) return false;
    status();
    return !fs::exists(pipe);
  }

  TemporaryFolder folder;
  const Git git{folder.path()};
  fs::file_time_type later = fs::file_time_type::clock::now();
};

TEST_F(GitAtAPipe, DoesNotWaitForEver) {
  EXPECT_TRUE(is_removed(folder.path() / ".gitattributes"));
  EXPECT_TRUE(is_removed(folder.path() / "sub/.gitignore"));
  EXPECT_TRUE(is_removed(folder.path() / ".git/info/exclude"));
  git.in(folder.path() / "sub").text({"init", "--quiet"});
  EXPECT_TRUE(is_removed(folder.path() / "sub/.git/HEAD"));
  EXPECT_TRUE(is_removed(folder.path() / ".git/HEAD"));
}

TEST_F(GitAtAPipe, NeitherAtTheEndOfALink) {
  const fs::path pipe = folder.path() / "pipe", link = folder.path() / ".git/info/attributes";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink(pipe, link);
  status();
  EXPECT_FALSE(fs::is_symlink(link));
  EXPECT_TRUE(fs::exists(pipe));
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
