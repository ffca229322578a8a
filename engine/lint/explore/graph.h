// Questions about the graph of what was explored.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lint/explore/explore.h"

namespace agneto::lint {

using Counts = std::function<bool(const Edge&)>;

// By configuration: can it come to one of the `goals`, along edges that count?
std::vector<bool> can_reach(const Exploration& found, const std::vector<std::uint32_t>& goals,
                            const Counts& counts);

// By configuration: a number of its own for all that can come to each other along edges that count.
// Where an edge leads from one number to another, the second is the smaller.
std::vector<std::uint32_t> components(const Exploration& found, const Counts& counts);

// Configurations in which the machine goes round, with nobody's doing and without time; `certain`:
// with nothing guessed on the way round.
std::vector<std::uint32_t> endless(const Exploration& found, bool certain = false);

}  // namespace agneto::lint
