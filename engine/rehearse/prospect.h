// What can still come of a simulation.
#pragma once

#include "base/json.h"
#include "simulate/simulator.h"

namespace agneto::rehearse {

// Equal where the same inputs lead to the same from here on: states, data, history, what runs, and
// the time that is left to each timer, but not how often states were entered.
Json prospect_of(const simulate::Simulator& simulator);

}  // namespace agneto::rehearse
