#include "run/poke.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <condition_variable>
#include <fstream>
#include <mutex>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

class PokeTest : public ::testing::Test {
 protected:
  void poked() {
    const std::lock_guard lock(mutex_);
    ++pokes_;
    changed_.notify_all();
  }
  void wait_for_a_poke() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return pokes_ > 0; });
    pokes_ = 0;
  }

  testing::TemporaryFolder folder;
  fs::path file = folder.path() / "r.poke";

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int pokes_ = 0;
};

TEST_F(PokeTest, ReachesTheListenerAgainAndAgain) {
  PokeListener listener(file, [&] { poked(); });
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(poke(file));
    wait_for_a_poke();
  }
}

TEST_F(PokeTest, ReachesNobodyWhereNobodyListens) {
  EXPECT_FALSE(poke(file));
  {
    PokeListener listener(file, [] {});
  }
  EXPECT_FALSE(poke(file));
  EXPECT_FALSE(fs::exists(file));
  // What a killed owner leaves.
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(poke(file));
}

TEST_F(PokeTest, WritesIntoNoFileOfSomebodyElses) {
  std::ofstream(file) << "text";
  EXPECT_FALSE(poke(file));
  EXPECT_EQ(fs::file_size(file), 4u);
}

TEST_F(PokeTest, ManyPokesThatNobodyReadsBlockNobody) {
  std::mutex busy;
  std::unique_lock lock(busy);
  PokeListener listener(file, [&] { const std::lock_guard wait(busy); });
  for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(poke(file)) << i;
  lock.unlock();
}

TEST_F(PokeTest, TheListenersFileIsItsUsersOnlyAndItsOwn) {
  auto first = std::make_unique<PokeListener>(file, [] {});
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  PokeListener second(file, [&] { poked(); });
  first.reset();
  EXPECT_TRUE(poke(file)) << "the first has taken the second's file away";
  wait_for_a_poke();
}

TEST_F(PokeTest, AFolderThatIsNotThereIsSaid) {
  const fs::path nowhere = folder.path() / "gone" / "r.poke";
  try {
    PokeListener listener(nowhere, [] {});
    ADD_FAILURE() << "made";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "cannot make '" + nowhere.string() + "': No such file or directory");
  }
}

}  // namespace
}  // namespace agneto::run
