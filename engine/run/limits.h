// What a run, and each machine in it, may use.
#pragma once

#include <string>

#include "base/clock.h"
#include "model/machine.h"
#include "run/state.h"

namespace agneto::run {

// What was used so far by a machine instance, those inside it included.
struct Use {
  int calls = 0;  // those at work included
  agents::Usage usage;
  Millis worked{0};
};

// Those of the configuration go before those that the workflow declares.
model::Limits limits_of_run(const model::Limits& configured, const model::Limits& declared);

// Why the limit `name` ("calls", "cost", "tokens", "time") is reached: "the limit of 5 agent calls
// is reached". Empty: it is not, or there is none.
std::string reached(const std::string& name, const model::Limits& limits, const Use& use);

// Is what happens at `path` part of that instance's use? Everything is of the root's, "".
bool is_inside(const std::string& path, const std::string& instance);

}  // namespace agneto::run
