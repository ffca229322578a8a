// What a simulated machine could be given now: for people, and for completing what they type.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/outcomes.h"
#include "play/simulator.h"

namespace agneto::play {

// A transition of an active state that an event or a timer could take.
struct Offer {
  std::vector<std::string> events;  // descriptors; empty: a timer
  std::optional<Millis> left;       // until the timer is due
  std::string guard;                // as written, on one line; may be empty
  std::vector<std::string> targets;
  int line = 0;
};

struct Activity {
  std::string path;  // what `from` takes
  std::string kind;  // "agent", "ask", "run", "workspace", "machine"
  std::string name;
  std::vector<model::Outcome> outcomes;
};

// An active state, or a whole machine, and what it listens to.
struct StateView {
  std::string name;  // "OWNER#1/NAME"; of a machine "OWNER#1" or the root machine's own name
  bool atomic = false;
  std::vector<Offer> offers;
  std::optional<Activity> activity;
};

struct Overview {
  std::vector<StateView> places;  // in document order
  std::vector<Timer> sends;       // delayed ones, with what is left of their time as `due`
};

Overview overview(const Simulator& simulator);

}  // namespace agneto::play
