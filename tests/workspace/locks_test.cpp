#include "workspace/locks.h"

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <optional>

#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

using ::testing::IsEmpty;

using Locks = Throwaway;

TEST_F(Locks, SeesStaleLocksOfTheWholeRepository) {
  start();
  const fs::path git_folder = fs::canonical(repository / ".git");
  const std::vector<fs::path> left = {git_folder / "config.lock", git_folder / "packed-refs.lock",
                                      git_folder / "refs/agneto/run1/last.lock",
                                      git_folder / "refs/heads/main.lock",
                                      git_folder / "worktrees/run1/index.lock"};
  const auto age = [](const fs::path& lock) {
    fs::last_write_time(lock, fs::file_time_type::clock::now() - std::chrono::seconds(6));
  };
  for (const fs::path& lock : left) write(lock, "");
  write(git_folder / "agneto-merge.lock", "");
  EXPECT_THAT(stale_locks(repository), IsEmpty()) << "they may be at work";
  for (const fs::path& lock : left) age(lock);
  age(git_folder / "agneto-merge.lock");
  EXPECT_EQ(stale_locks(repository), left);
  const std::ofstream open(left[0]);
  age(left[0]);
  EXPECT_EQ(stale_locks(repository), std::vector(left.begin() + 1, left.end()));
}

TEST_F(Locks, OneThatAGitAtWorkHasOpenIsLeft) {
  start();
  const fs::path git_folder = fs::canonical(repository / ".git");
  const fs::path lock = git_folder / "refs/heads/agneto/run1.lock";
  std::optional<std::ofstream> at_work(lock);
  clear_ref_locks(git_folder, "run1", Whose::own);
  EXPECT_TRUE(fs::exists(lock));
  at_work.reset();
  clear_ref_locks(git_folder, "run1", Whose::own);
  EXPECT_FALSE(fs::exists(lock));
}

}  // namespace
}  // namespace agneto::workspace
