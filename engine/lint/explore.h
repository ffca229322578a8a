// Every configuration that a machine can get into, with the same `step` as a run's.
//
// Agents, people, programs, machines and timers branch over what they can end in; so do events from
// outside, `run`, and inputs that are booleans or choices. Guards branch where what they look at is
// not known (explore_values.h). So there is more in what is explored than a run can do, and what is
// not in it no run can do.
#pragma once

#include <string>
#include <vector>

#include "lint/subject.h"

namespace agneto::lint {

struct Exploration {
  std::size_t states = 0;     // of configuration and data together
  bool complete = false;      // all of them; else nothing can be said of what was not found
  std::vector<bool> entered;  // by StateId
  std::vector<bool> taken;    // by TransitionId

  // A configuration in which nothing is outstanding and no event is waited for, reached by guards
  // that were worked out alone, and the events that lead there.
  struct Deadlock {
    model::StateId state = model::none;
    std::vector<std::string> events;  // as `agneto simulate --events` reads them
  };
  std::vector<Deadlock> deadlocks;  // one for each state, those found first
};

// Stops at so many states.
Exploration explore(const Subject& subject, const model::Machine& machine, std::size_t budget);

}  // namespace agneto::lint
