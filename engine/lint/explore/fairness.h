// Where a run may stay for ever, though what can happen again and again does happen.
//
// A run is fair where each configuration that it comes to again and again is left some time in each
// way that must come (Due): by each outcome of an activity, errors and failures aside, and by the
// machine's own events. Where nothing but timers is waited for, one of them comes due. Errors,
// failures, limits and events from outside may come at any time, and need not. Where it is guessed
// what an event leads to, it may be the same each time; so it is with what comes with an outcome,
// and with what a machine ends in that another one delegates to.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lint/explore/explore.h"
#include "lint/explore/graph.h"

namespace agneto::lint {

// By configuration of what was explored completely: is it one of those among which a fair run may
// stay for ever, or stop, without any of `goals`? Where it is not, every fair run gets out of
// these.
std::vector<bool> possible_traps(const Exploration& found, const std::vector<bool>& goals);

// Is it one from which a run gets to none of `goals`, unless by an error, a failure or an event
// from outside? Then a fair run stays there for ever.
std::vector<bool> certain_traps(const Exploration& found, const std::vector<bool>& goals);

// Does every fair run of it end, and not by an error each time that it is started?
bool always_ends(const Exploration& found);

// A way that comes to where it goes round for ever, or stops.
struct Lasso {
  std::vector<std::uint32_t> way;  // edges; in the end the loop, once
  std::size_t loop = 0;            // how many of them that is; none where it stops
};

// From the configuration, along edges that count, into one of the traps, and on among them. It must
// be possible.
Lasso lasso(const Exploration& found, std::uint32_t from, const std::vector<bool>& traps,
            const Counts& counts);

}  // namespace agneto::lint
