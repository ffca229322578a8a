// What an open question may meet besides its answer: timers that take it away, and events from
// elsewhere that its states take.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "model/machine.h"

namespace agneto::record {

// A timer that has been started, as the state of a run has it.
struct RecordedTimer {
  Time due;
  bool pausable = false;
  Millis left{0};  // pausable, while the run is suspended: what was left then
};
using Timers = std::map<std::string, RecordedTimer>;  // by path

// Those in a run's state as the journal has it.
Timers timers_of(const Json& state);

// From now on the timers in a run's state that can stand still do so, with what they have left.
void hold_timers(Json& state, Time now);

// When a timer takes a question away.
struct Deadline {
  std::optional<Time> due;      // none: it stands still, as long as the run is suspended
  Millis left{0};               // until then
  std::vector<std::string> to;  // the states that it leads to; several: guards choose
  bool guarded = false;         // guards may also leave the question where it is
};

struct Surroundings {
  std::vector<Deadline> deadlines;  // the next first; only the last one is not guarded
  std::vector<std::string> events;  // by the names in the workflow, those of inner states first
  // Events that end the run as aborted, whatever guards say: an option may be called so.
  std::vector<std::string> aborting = {};
};

// A run at some time.
struct Moment {
  const model::System& system;
  const Timers& timers;
  Time now;
  bool suspended = false;
};

// Finds what the question with that path may meet: the `after` timers of its state and of the
// states around it, and the events that these take from outside: what activities end in, what the
// workflow raises or sends itself, and the engine's events are none of them. And which events of
// any kind abort the run.
Surroundings surroundings_of(const std::string& question, const Moment& moment);

}  // namespace agneto::record
