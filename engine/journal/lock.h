// One live owner per run: an OS file lock, free at the owner's death however it dies.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "journal/holds.h"

namespace agneto::journal {

// The lock belongs to the process, not to an open file, so a child that it is just starting does
// not have it too: `flock`'s would live on in one that has not come to its `exec` yet.
class RunLock : public Hold {
 public:
  // Takes the lock or throws Locked: "run R is being worked on by process P on host H since T". One
  // that a dying process still holds is waited for, two seconds long. The file is there as
  // long as this, or until somebody takes the lock of an owner that was killed; its content, for
  // people, says the same of the owner, if the disk has room for it.
  RunLock(const std::filesystem::path& file, const std::string& run_id,
          Time now = SystemClock().now());
  ~RunLock() override;
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  const std::string& owner() const override { return owner_; }

 private:
  std::filesystem::path path_;
  std::string owner_;
  int descriptor_ = -1;
  std::pair<unsigned long, unsigned long> file_;  // device and inode
};

// The process that holds the lock, this one included, 0 where it cannot be seen from here; nothing:
// nobody does. Takes and writes nothing.
std::optional<int> owner_of(const std::filesystem::path& file);

// The same, as the file says it to people; the empty text where it says nothing.
std::optional<std::string> holder_of(const std::filesystem::path& file);

}  // namespace agneto::journal
