#include "run/sandbox/private_home.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

namespace fs = std::filesystem;
using testing::error_of;
using testing::TemporaryFolder;

class PrivateHomeTest : public ::testing::Test {
 protected:
  PrivateHomeTest() { write("person/.cli/login", "me"); }
  void write(const std::string& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  std::string read(const std::string& file) {
    return Disk().read(folder_ / file).value_or("nothing");
  }
  void furnish() {
    furnish_home(folder_ / "homes/r1", folder_ / "person", {".cli/login", ".none"});
  }

  TemporaryFolder folder_;
};

TEST_F(PrivateHomeTest, HasCopiesForItselfAlone) {
  furnish();
  EXPECT_EQ(read("homes/r1/.cli/login"), "me");
  EXPECT_FALSE(fs::exists(folder_ / "homes/r1/.none"));
  for (const char* path : {"homes/r1", "homes/r1/.cli"}) {
    EXPECT_EQ(fs::status(folder_ / path).permissions(), fs::perms::owner_all) << path;
  }
  EXPECT_EQ(fs::status(folder_ / "homes/r1/.cli/login").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(PrivateHomeTest, KeepsWhatProgramsHaveChangedUntilThePersonChangesIt) {
  furnish();
  write("homes/r1/.cli/login", "renewed");
  furnish();
  EXPECT_EQ(read("homes/r1/.cli/login"), "renewed");
  EXPECT_EQ(read("person/.cli/login"), "me");
  write("person/.cli/login", "another");
  furnish();
  EXPECT_EQ(read("homes/r1/.cli/login"), "another");
  fs::remove(folder_ / "homes/r1/.cli/login");
  furnish();
  EXPECT_EQ(read("homes/r1/.cli/login"), "another");
}

// As a program may leave them there.
TEST_F(PrivateHomeTest, LinksAreNotFollowed) {
  furnish();
  write("elsewhere/login", "of somebody");
  fs::remove(folder_ / "homes/r1/.cli/login");
  fs::create_symlink(folder_ / "elsewhere/login", folder_ / "homes/r1/.cli/login");
  write("person/.cli/login", "another");
  furnish();
  EXPECT_EQ(read("elsewhere/login"), "of somebody");
  EXPECT_FALSE(fs::is_symlink(folder_ / "homes/r1/.cli/login"));
  EXPECT_EQ(read("homes/r1/.cli/login"), "another");

  fs::remove_all(folder_ / "homes/r1/.cli");
  fs::create_directory_symlink(folder_ / "elsewhere", folder_ / "homes/r1/.cli");
  EXPECT_EQ(error_of([this] { furnish(); }), "cannot write '" +
                                                 (folder_ / "homes/r1/.cli").string() +
                                                 "': Not a directory\nremove what is in its place");
  EXPECT_EQ(read("elsewhere/login"), "of somebody");
}

TEST_F(PrivateHomeTest, HasFoldersAndFilesThatCanBeMountedOn) {
  furnish();
  write("tools/rc", "x");
  fs::create_directories(folder_ / "tools/cache");
  const std::string shown = (folder_ / "person").string(), home = (folder_ / "homes/r1").string(),
                    tools = (folder_ / "tools").string();
  script::Confinement confinement;
  confinement.mounts = {{shown, home, true},
                        {shown + "/a", home + "/a", true},
                        {shown + "/project", "", false},
                        {shown + "/a/rc", tools + "/rc", false},
                        {shown + "/a/cache", tools + "/cache", true},
                        {shown + "/project/src", tools, true}};
  make_ways(home, shown, confinement);
  EXPECT_EQ(read("homes/r1/a/rc"), "");
  EXPECT_TRUE(fs::is_directory(home + "/a/cache"));
  EXPECT_TRUE(fs::is_empty(home + "/project")) << "what is in another mount is not in the home";
  fs::remove_all(home + "/a");
  fs::create_directory_symlink(tools, home + "/a");
  EXPECT_EQ(error_of([&] { make_ways(home, shown, confinement); }),
            "cannot write '" + home + "/a': Not a directory\nremove what is in its place");
}

TEST_F(PrivateHomeTest, IsRemovedWhateverRightsAreLeftOnIt) {
  furnish();
  write("homes/r1/go/mod/file", "x");
  write("homes/r1.git/abc/config", "x");
  fs::permissions(folder_ / "homes/r1/go/mod", fs::perms::none);
  EXPECT_TRUE(remove_home(folder_ / "homes/r1"));
  EXPECT_TRUE(fs::is_empty(folder_ / "homes"));
}

}  // namespace
}  // namespace agneto::run
