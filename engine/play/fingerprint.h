// What can still come of a simulation.
#pragma once

#include "base/json.h"
#include "play/simulator.h"

namespace agneto::play {

// Equal where the same inputs lead to the same from here on: states, data, history, what runs, and
// the time that is left to each timer, but not how often states were entered.
Json fingerprint_of(const Simulator& simulator);

}  // namespace agneto::play
