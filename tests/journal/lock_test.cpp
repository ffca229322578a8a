#include "journal/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <optional>

#include "support/child.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::journal {
namespace {

using testing::error_of;
using testing::start_child;
using testing::wait_for;

class RunLockTest : public ::testing::Test {
 protected:
  std::string refusal() {
    return error_of([this] { const RunLock lock(file_, "r1"); });
  }
  std::string content() {
    std::ifstream stream(file_);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }
  static std::string host() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
  }

  testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "r1.lock";
};

TEST_F(RunLockTest, RefusesASecondOwnerAndNamesTheFirst) {
  const RunLock lock(file_, "r1", Time(Millis(1'234)));
  const std::string owner =
      fmt::format("process {} on host {} since 1970-01-01T00:00:01.234Z", ::getpid(), host());
  EXPECT_EQ(content(), owner + "\n");
  EXPECT_EQ(refusal(), fmt::format("run r1 is being worked on by {}\n"
                                   "wait until it ends, or stop it: agneto suspend r1",
                                   owner));
}

TEST_F(RunLockTest, RefusesAnotherProcess) {
  const RunLock lock(file_, "r1");
  EXPECT_EQ(wait_for(start_child([this] { const RunLock second(file_, "r1"); })), 1);
}

TEST_F(RunLockTest, IsFreeAgainAfterItsOwner) {
  { const RunLock lock(file_, "r1"); }
  EXPECT_FALSE(std::filesystem::exists(file_)) << "thousands of runs would leave thousands";
  EXPECT_EQ(refusal(), "");
}

TEST_F(RunLockTest, IsFreeWhenItsOwnerIsKilled) {
  EXPECT_EQ(wait_for(start_child([this] {
              const RunLock lock(file_, "r1");
              ::raise(SIGKILL);
            })),
            -1);
  EXPECT_NE(content(), "") << "the dead owner could not tidy up";
  EXPECT_EQ(refusal(), "");
}

TEST_F(RunLockTest, KeepsItWhereItsOwnProcessAsksWhoHasIt) {
  const RunLock lock(file_, "r1");
  EXPECT_EQ(holder_of(file_), lock.owner());
  EXPECT_EQ(wait_for(start_child([this] { const RunLock second(file_, "r1"); })), 1);
}

// Between `fork` and `exec` a child has all that its parent had open.
TEST_F(RunLockTest, AChildThatHasNotComeToItsProgramYetDoesNotKeepIt) {
  std::array<int, 2> alive{};
  ASSERT_EQ(::pipe2(alive.data(), O_CLOEXEC), 0);
  wait_for(start_child([&] {
    const RunLock lock(file_, "r1");
    if (::fork() == 0) {
      ::close(alive[1]);
      char none = 0;
      [[maybe_unused]] const ssize_t end = ::read(alive[0], &none, 1);
      ::_exit(0);
    }
    ::raise(SIGKILL);
  }));
  EXPECT_FALSE(holder_of(file_));
  EXPECT_EQ(refusal(), "");
  ::close(alive[1]);
  ::close(alive[0]);
}

TEST_F(RunLockTest, CanBeSeenWithoutTakingIt) {
  EXPECT_FALSE(holder_of(file_)) << "there is no such file";
  {
    const RunLock lock(file_, "r1");
    EXPECT_TRUE(holder_of(file_));
    EXPECT_EQ(wait_for(start_child([this] { ::_exit(holder_of(file_) ? 42 : 43); })), 42);
    EXPECT_NE(refusal(), "") << "looking does not free it";
  }
  EXPECT_FALSE(holder_of(file_));
}

TEST_F(RunLockTest, AProgramThatTheOwnerStartedDoesNotKeepIt) {
  std::array<int, 2> input{};
  std::array<int, 2> output{};
  ASSERT_EQ(::pipe2(input.data(), O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(output.data(), O_CLOEXEC), 0);
  std::optional<RunLock> lock;
  lock.emplace(file_, "r1");
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(input[0], 0);
    ::dup2(output[1], 1);
    ::execl("/bin/sh", "sh", "-c", "echo ready; read line", nullptr);
    ::_exit(127);
  }
  ::close(input[0]);
  ::close(output[1]);
  char ready = 0;
  ASSERT_EQ(::read(output[0], &ready, 1), 1);
  lock.reset();
  EXPECT_EQ(refusal(), "") << "while the child lives on";
  ::close(input[1]);
  ::close(output[0]);
  wait_for(child);
}

TEST_F(RunLockTest, ALockFileThatWasRemovedProtectsNothing) {
  auto lock = std::make_unique<RunLock>(file_, "r1");
  std::filesystem::remove(file_);
  const RunLock other(file_, "r1");  // a new file is a new lock
  lock.reset();
  EXPECT_TRUE(holder_of(file_)) << "the first takes away what is its own";
  EXPECT_TRUE(std::filesystem::exists(file_));
}

TEST_F(RunLockTest, NeedsItsFolder) {
  file_ = folder_ / "none/r1.lock";
  EXPECT_EQ(refusal(),
            fmt::format("cannot open the lock '{}': No such file or directory", file_.string()));
}

}  // namespace
}  // namespace agneto::journal
