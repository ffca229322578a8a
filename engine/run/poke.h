// How one process says to a run's owner that there is something in the run's inbox: a byte in a
// FIFO beside the lock. What is said is in the journal; a poke that is lost loses nothing but time.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <utility>

namespace agneto::run {

namespace fs = std::filesystem;

// The owner's end, as long as it lives. The FIFO is readable and writable by this user only.
class PokeListener {
 public:
  // Makes the FIFO, in place of one that a killed owner left. `poked` is called on a thread of this
  // object's, once for one or more pokes. Throws Error.
  PokeListener(fs::path file, std::function<void()> poked);
  ~PokeListener();
  PokeListener(const PokeListener&) = delete;
  PokeListener& operator=(const PokeListener&) = delete;

 private:
  void listen() const;

  fs::path file_;
  std::function<void()> poked_;
  std::pair<unsigned long, unsigned long> made_;  // device and inode
  int descriptor_ = -1;
  int stop_ = -1;  // an eventfd
  std::thread thread_;
};

// False: nobody listens there.
bool poke(const fs::path& file);

}  // namespace agneto::run
