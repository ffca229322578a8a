// When it is worth looking at what others have written to a journal: often while anybody works on a
// run, and else hardly ever. Whoever works writes all the time, and notifies nobody of that, since
// those who notify wait for each other.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/clock.h"
#include "journal/journal.h"

namespace agneto::serve {

// `wait` is called by one thread, `hear` by any.
class Lookout {
 public:
  struct Pauses {
    Millis while_at_work;  // between two looks
    Millis between_asks;   // whether anybody is, while nobody is
  };
  // Asks `is_at_work` whether anybody works on a run. The clock outlives it.
  Lookout(Pauses pauses, std::function<bool()> is_at_work, Clock& clock)
      : pauses_(pauses), is_at_work_(std::move(is_at_work)), clock_(clock) {}

  // There is news: soon it is worth looking.
  void hear();
  // Returns when it is worth looking: five seconds from now at the latest. False: it was stopped.
  bool wait(const std::stop_token& stop);

 private:
  bool sleep(Millis time);

  const Pauses pauses_;
  const std::function<bool()> is_at_work_;
  Clock& clock_;
  std::optional<Millis> asked_;  // by `elapsed`: when it was asked last
  Millis busy_until_{0};         // by `elapsed`: so long it is looked often
  std::mutex mutex_;             // of what follows
  bool is_news_ = false;
  std::stop_source sleep_;
};

// At that journal. One that is a file tells nobody of what is written there, and costs little to
// look at: it is always looked at often.
class JournalLookout {
 public:
  // Both outlive it.
  JournalLookout(Lookout::Pauses pauses, journal::Journal& journal, Clock& clock);

  bool wait(const std::stop_token& stop) { return lookout_.wait(stop); }

 private:
  Lookout lookout_;
  const std::unique_ptr<journal::Watch> watch_;  // tells it
};

}  // namespace agneto::serve
