#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto {
namespace {

using ::testing::ElementsAre;
using testing::error_of;

class DiskTest : public ::testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  testing::TemporaryFolder folder_;
  Disk disk_;
};

TEST_F(DiskTest, ReadsWhatWasWritten) {
  const std::string text("bytes \0\xff\r\n", 10);
  write_file(folder_ / "a", text);
  EXPECT_EQ(disk_.read(folder_ / "a"), text);
  write_file(folder_ / "a", "");
  EXPECT_EQ(disk_.read(folder_ / "a"), "");
  EXPECT_THAT(names(), ElementsAre("a"));  // and no draft is left
}

TEST_F(DiskTest, ReadsRegularFilesOnly) {
  EXPECT_EQ(disk_.read(folder_ / "none"), std::nullopt);
  EXPECT_EQ(disk_.read(folder_.path()), std::nullopt);
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(disk_.read(folder_ / "fifo"), std::nullopt);  // and does not wait for a writer
}

TEST_F(DiskTest, ATreeHashSaysWhetherAFolderIsTheSame) {
  EXPECT_EQ(disk_.tree_hash(folder_ / "none"), std::nullopt);
  fs::create_directories(folder_ / "kit/parts");
  write_file(folder_ / "kit/a.yaml", "one");
  write_file(folder_ / "kit/parts/b.yaml", "two");
  const auto hash = disk_.tree_hash(folder_ / "kit");
  EXPECT_EQ(hash, tree_hash_of({{"a.yaml", "one"}, {"parts/b.yaml", "two"}}));
  fs::create_directories(folder_ / "kit/packages/other");
  write_file(folder_ / "kit/packages/other/c.yaml", "another's");
  EXPECT_EQ(disk_.tree_hash(folder_ / "kit"), hash);
  EXPECT_EQ(tree_hash_of({{"a.yaml", "one"}, {"packages/c.yaml", "x"}, {"parts/b.yaml", "two"}}),
            hash);

  write_file(folder_ / "kit/d.yaml", "");
  EXPECT_NE(disk_.tree_hash(folder_ / "kit"), hash) << "one more";
  fs::remove(folder_ / "kit/d.yaml");
  fs::rename(folder_ / "kit/a.yaml", folder_ / "one.yaml");
  fs::create_symlink(folder_ / "one.yaml", folder_ / "kit/a.yaml");
  EXPECT_NE(disk_.tree_hash(folder_ / "kit"), hash) << "a link to the same text";
}

TEST_F(DiskTest, ALinkLeadsOutOfAFolderOrNot) {
  fs::create_directories(folder_ / "kit/parts");
  write_file(folder_ / "secret", "x");
  write_file(folder_ / "kit/a", "x");
  fs::create_symlink("../secret", folder_ / "kit/out");
  fs::create_symlink("a", folder_ / "kit/in");
  fs::create_directory_symlink("..", folder_ / "kit/up");
  EXPECT_FALSE(disk_.leads_out(folder_ / "kit/a", folder_ / "kit"));
  EXPECT_FALSE(disk_.leads_out(folder_ / "kit/in", folder_ / "kit"));
  EXPECT_FALSE(disk_.leads_out(folder_ / "kit/none", folder_ / "kit"));
  EXPECT_TRUE(disk_.leads_out(folder_ / "kit/out", folder_ / "kit"));
  EXPECT_TRUE(disk_.leads_out(folder_ / "kit/up/secret", folder_ / "kit"));
}

TEST_F(DiskTest, WritingKeepsModeAndLink) {
  write_file(folder_ / "script", "old");
  ASSERT_EQ(::chmod((folder_ / "script").c_str(), 0750), 0);
  fs::create_symlink(folder_ / "script", folder_ / "link");
  write_file(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(disk_.read(folder_ / "script"), "new");
  EXPECT_EQ(fs::status(folder_ / "script").permissions(), static_cast<fs::perms>(0750));
}

TEST_F(DiskTest, AWriteThatFailsNamesTheFileAndTheCause) {
  EXPECT_EQ(
      error_of([this] { write_file(folder_ / "none/a", "x"); }),
      fmt::format("cannot write '{}/none/a': No such file or directory", folder_.path().string()));
  fs::create_directory(folder_ / "folder");
  EXPECT_EQ(error_of([this] { write_file(folder_ / "folder", "x"); }),
            fmt::format("cannot write '{}/folder': Is a directory", folder_.path().string()));
  EXPECT_THAT(names(), ElementsAre("folder"));
}

TEST_F(DiskTest, APipeIsWrittenToAndStaysOne) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  write_file(pipe, "said");
  char read_back[8] = {};
  EXPECT_EQ(read(reader, read_back, sizeof read_back), 4);
  EXPECT_STREQ(read_back, "said");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(MemoryFilesTest, KnowsAPathByAllItsSpellings) {
  MemoryFiles files(std::map<std::string, std::string>{{"a/./b.yaml", "one"}});
  files.add("c/../d.lua", "two");
  EXPECT_EQ(files.read("a/b.yaml"), "one");
  EXPECT_EQ(files.read("a/x/../b.yaml"), "one");
  EXPECT_EQ(files.read("d.lua"), "two");
  EXPECT_EQ(files.read("c"), std::nullopt);
}

// A disk that is full is tried by tests/e2e/full-disk.test.mjs.
TEST_F(DiskTest, HasRoomWhereThatIsNotCounted) {
  EXPECT_TRUE(has_room(folder_.path()));
  EXPECT_TRUE(has_room("/proc"));
  EXPECT_TRUE(has_room(folder_ / "none"));
}

TEST(RecordingFilesTest, RemembersWhatWasReadAsItWasThen) {
  MemoryFiles files;
  files.add("a.yaml", "one");
  files.add("unread.yaml", "x");
  const RecordingFiles recording(files);
  EXPECT_EQ(recording.read("./a.yaml"), "one");
  EXPECT_EQ(recording.read("none.yaml"), std::nullopt);
  files.add("a.yaml", "changed");
  EXPECT_EQ(recording.read("a.yaml"), "one");
  EXPECT_EQ(recording.texts(), (std::map<std::string, std::string>{{"a.yaml", "one"}}));
}

}  // namespace
}  // namespace agneto
