// A lock for what costs something and is done by one at a time. Who waits for it keeps a thread
// from others, so nobody waits long.
#pragma once

#include <condition_variable>
#include <mutex>

#include "base/clock.h"

namespace agneto::serve {

// Its functions are called on several threads at a time.
class Turns {
 public:
  explicit Turns(Millis patience = Millis{2000}) : patience_(patience) {}

  // The turn ends with what this returns. Throws NotYet where others are not done within the time
  // of our patience, by this machine's clock.
  std::unique_lock<Turns> take();

  void unlock();  // for std::unique_lock

 private:
  const Millis patience_;
  std::mutex mutex_;  // of what follows
  std::condition_variable ended_;
  bool taken_ = false;
};

}  // namespace agneto::serve
