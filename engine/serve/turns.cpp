#include "serve/turns.h"

#include "run/steer.h"

namespace agneto::serve {

// ThreadSanitizer does not see how a std::timed_mutex is locked.
std::unique_lock<Turns> Turns::take() {
  std::unique_lock lock(mutex_);
  if (!ended_.wait_for(lock, patience_, [&] { return !taken_; })) {
    throw run::NotYet("this server is making what others have asked for", "ask again in a moment");
  }
  taken_ = true;
  return {*this, std::adopt_lock};
}

void Turns::unlock() {
  {
    const std::lock_guard lock(mutex_);
    taken_ = false;
  }
  ended_.notify_one();
}

}  // namespace agneto::serve
