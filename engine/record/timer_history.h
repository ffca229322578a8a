// The timers of a run, as its entries have them.
#pragma once

#include <utility>
#include <vector>

#include "record/entry.h"
#include "record/surroundings.h"

namespace agneto::record {

class TimerHistory {
 public:
  // Entries come in order, from the first.
  void add(const Entry& entry);

  // Those that have been started, and have neither come due nor been cancelled.
  const Timers& timers() const { return timers_; }
  // Is nobody at work, so that those that are pausable stand still?
  bool suspended() const { return suspended_; }

 private:
  void change(const Macrostep& step, Time time);
  void stand_still(Time time);

  Timers timers_;
  bool suspended_ = false;
  std::vector<Time> times_;                        // of all entries
  std::vector<std::pair<Seq, Timers>> snapshots_;  // after the entries that changed them
};

}  // namespace agneto::record
