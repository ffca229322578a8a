#include "base/watch.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>

#include "base/files.h"
#include "support/temporary_folder.h"

namespace agneto {
namespace {

using std::chrono::milliseconds;

class Watching : public ::testing::Test {
 protected:
  Watching() { EXPECT_EQ(::pipe2(stop_.data(), O_CLOEXEC), 0); }
  ~Watching() override {
    ::close(stop_[0]);
    ::close(stop_[1]);
  }

  // Would wait for ever without a change, which is there before it is asked for.
  bool sees_a_change() { return watch_.wait(stop_[0], milliseconds(0)); }

  testing::TemporaryFolder folder_;
  FolderWatch watch_;
  std::array<int, 2> stop_{};
};

TEST_F(Watching, SeesFilesThatAreWrittenReplacedAndRemoved) {
  watch_.look_at({folder_.path()});
  write_file(folder_ / "a", "1");  // by a rename
  EXPECT_TRUE(sees_a_change());
  const int file = ::open((folder_ / "a").c_str(), O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(::write(file, "2", 1), 1);
  ::close(file);
  EXPECT_TRUE(sees_a_change());
  fs::remove(folder_ / "a");
  EXPECT_TRUE(sees_a_change());
  fs::create_directory(folder_ / "b");
  EXPECT_TRUE(sees_a_change());
}

TEST_F(Watching, LooksAtWhatIsAroundAFolderThatIsNotThere) {
  watch_.look_at({folder_ / "a/b"});
  fs::create_directory(folder_ / "a");
  EXPECT_TRUE(sees_a_change());
  watch_.look_at({folder_ / "a/b"});
  fs::create_directory(folder_ / "a/b");
  EXPECT_TRUE(sees_a_change());
}

// A folder that has two names may lose one of them.
TEST_F(Watching, GoesOnLookingWhereOneNameIsLeft) {
  fs::create_directory(folder_ / "a");
  fs::create_directory_symlink("a", folder_ / "link");
  watch_.look_at({folder_ / "a", folder_ / "link"});
  watch_.look_at({folder_ / "a"});
  write_file(folder_ / "a/file", "");
  EXPECT_TRUE(sees_a_change());
}

TEST_F(Watching, EndsWhenItIsTold) {
  watch_.look_at({folder_.path()});
  EXPECT_EQ(::write(stop_[1], "", 1), 1);
  write_file(folder_ / "a", "");
  EXPECT_FALSE(sees_a_change());
}

}  // namespace
}  // namespace agneto
