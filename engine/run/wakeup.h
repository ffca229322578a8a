// How one process says to a run's owner that there is something in the run's inbox: a byte in a
// FIFO beside the lock. What is said is in the journal; a wake-up that is lost loses nothing but
// time.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <utility>

namespace agneto::run {

namespace fs = std::filesystem;

// The owner's end, as long as it lives. The FIFO is readable and writable by this user only.
class WakeupListener {
 public:
  // Makes the FIFO, in place of one that a killed owner left. `woken` is called on a thread of this
  // object's, once for one or more wake-ups. Throws Error.
  WakeupListener(fs::path file, std::function<void()> woken);
  ~WakeupListener();
  WakeupListener(const WakeupListener&) = delete;
  WakeupListener& operator=(const WakeupListener&) = delete;

 private:
  void listen() const;

  fs::path file_;
  std::function<void()> woken_;
  std::pair<unsigned long, unsigned long> made_;  // device and inode
  int descriptor_ = -1;
  int stop_ = -1;  // an eventfd
  std::thread thread_;
};

// False: nobody listens there.
bool wake_up(const fs::path& file);
// The same without a word.
bool is_listened_to(const fs::path& file);

}  // namespace agneto::run
