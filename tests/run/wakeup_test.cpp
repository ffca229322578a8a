#include "run/wakeup.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <condition_variable>
#include <fstream>
#include <mutex>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

class WakeupTest : public ::testing::Test {
 protected:
  void woken() {
    const std::lock_guard lock(mutex_);
    ++wakeups_;
    changed_.notify_all();
  }
  void wait_for_a_wakeup() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return wakeups_ > 0; });
    wakeups_ = 0;
  }

  testing::TemporaryFolder folder;
  fs::path file = folder.path() / "r.wakeup";

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int wakeups_ = 0;
};

TEST_F(WakeupTest, ReachesTheListenerAgainAndAgain) {
  WakeupListener listener(file, [&] { woken(); });
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(wake_up(file));
    wait_for_a_wakeup();
  }
}

TEST_F(WakeupTest, ReachesNobodyWhereNobodyListens) {
  EXPECT_FALSE(wake_up(file));
  {
    WakeupListener listener(file, [] {});
  }
  EXPECT_FALSE(wake_up(file));
  EXPECT_FALSE(fs::exists(file));
  // What a killed owner leaves.
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(wake_up(file));
}

TEST_F(WakeupTest, WritesIntoNoFileOfSomebodyElses) {
  std::ofstream(file) << "text";
  EXPECT_FALSE(wake_up(file));
  EXPECT_EQ(fs::file_size(file), 4u);
}

TEST_F(WakeupTest, ManyWakeupsThatNobodyReadsBlockNobody) {
  std::mutex busy;
  std::unique_lock lock(busy);
  WakeupListener listener(file, [&] { const std::lock_guard wait(busy); });
  for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(wake_up(file)) << i;
  lock.unlock();
}

TEST_F(WakeupTest, TheListenersFileIsItsUsersOnlyAndItsOwn) {
  auto first = std::make_unique<WakeupListener>(file, [] {});
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  WakeupListener second(file, [&] { woken(); });
  first.reset();
  EXPECT_TRUE(wake_up(file)) << "the first has taken the second's file away";
  wait_for_a_wakeup();
}

TEST_F(WakeupTest, AFolderThatIsNotThereIsSaid) {
  const fs::path nowhere = folder.path() / "gone" / "r.wakeup";
  try {
    WakeupListener listener(nowhere, [] {});
    ADD_FAILURE() << "made";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "cannot make '" + nowhere.string() + "': No such file or directory");
  }
}

}  // namespace
}  // namespace agneto::run
