// One live owner per run: an OS file lock, free at the owner's death however it dies.
#pragma once

#include <filesystem>
#include <string>

#include "base/clock.h"

namespace agneto::journal {

class RunLock {
 public:
  // Takes the lock or throws Error: "run R is being worked on by process P on host H since T". The
  // file is made where it is missing; its content, for people, says the same of the owner.
  RunLock(const std::filesystem::path& file, const std::string& run_id,
          Time now = SystemClock().now());
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace agneto::journal
