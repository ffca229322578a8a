// Questions about the graph of what was explored.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lint/explore/explore.h"

namespace agneto::lint {

using Counts = std::function<bool(const Edge&)>;

// The edges that lead to a configuration.
class Backwards {
 public:
  explicit Backwards(const Exploration& found);

  std::span<const std::uint32_t> into(std::uint32_t at) const {
    return {edges_.data() + first_[at], first_[at + 1] - first_[at]};
  }

 private:
  std::vector<std::uint32_t> first_;  // by configuration
  std::vector<std::uint32_t> edges_;
};

// By configuration: can it come to one of the `goals`, along edges that count?
std::vector<bool> can_reach(const Exploration& found, const std::vector<std::uint32_t>& goals,
                            const Counts& counts);

// By configuration: does a beginning come to it, along edges that count?
std::vector<bool> reached(const Exploration& found, const Counts& counts);

// The edges of a shortest way from there to a configuration that is a goal, along edges that count;
// empty where there is none. `moves`: by one edge at least.
std::vector<std::uint32_t> shortest_way(const Exploration& found, std::uint32_t from,
                                        const std::function<bool(std::uint32_t)>& goal,
                                        const Counts& counts, bool moves);

// By configuration: a number of its own for all that can come to each other along edges that count.
// Where an edge leads from one number to another, the second is the smaller.
std::vector<std::uint32_t> components(const Exploration& found, const Counts& counts);

// Configurations in which the machine goes round, with nobody's doing and without time; `certain`:
// with nothing guessed on the way round.
std::vector<std::uint32_t> endless(const Exploration& found, bool certain = false);

}  // namespace agneto::lint
