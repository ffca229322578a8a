// What a run says of itself: to its journal, and to those who watch.
#pragma once

#include <mutex>
#include <string>

#include "base/clock.h"
#include "journal/journal.h"
#include "record/entry.h"
#include "record/event.h"

namespace agneto::run {

// The time of a run: never earlier than what is recorded, and going on where somebody puts the
// machine's clock back. Thread-safe. `clock` outlives it.
class RunClock {
 public:
  RunClock(const Clock& clock, Time not_before)
      : clock_(clock), origin_(not_before - clock.elapsed()) {}

  Time now();

 private:
  const Clock& clock_;
  std::mutex mutex_;
  Time origin_;  // when nothing had elapsed: later where the clock was put forward, never earlier
};

// What it is given outlives it.
class Reporter {
 public:
  Reporter(std::string run_id, journal::Writer& journal, record::Observer& observer,
           const Clock& clock, Time not_before);

  // The time of the run. Thread-safe.
  Time now() { return clock_.now(); }

  // An entry of now. Thread-safe.
  record::Entry entry(std::string path, record::Body body);
  // Records it; the run's state stays as it is. Durable on return. Thread-safe. Throws Error.
  record::Entry append(std::string path, record::Body body);

  // Tells the observer. On the engine's thread only.
  void publish(std::string path, record::EventBody body);
  void note(std::string path, std::string text);
  // Records it as well.
  void record_note(const std::string& path, const std::string& text);

 private:
  const std::string run_id_;
  journal::Writer& journal_;
  record::Observer& observer_;
  RunClock clock_;
};

}  // namespace agneto::run
