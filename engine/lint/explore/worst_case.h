// The most that a run can come to, from the bounds in it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "lint/explore/explore.h"

namespace agneto::lint {

// How often something happens at most.
struct Most {
  std::optional<std::int64_t> count;  // none: there is no bound
  // Then: the states of a loop that has none, "A -> B -> A".
  std::string loop = {};
  // And, where a person or an event from outside leads round every such loop, the most from one
  // of these to the next.
  std::optional<std::int64_t> between = {};
};

struct WorstCase {
  Most calls;  // of agents, in machines that are delegated to, too
  Most steps;  // events that lead from one configuration to another
  // The states of a loop of calls in which nothing is guessed, nobody answers a question and no
  // timer comes due, "A -> B -> A"; empty where there is none. A call that fails is not gone on
  // from.
  std::string unbounded_calls;
  // The fewest calls with which the machine comes to an end that is complete; none where it comes
  // to none. Machines that it delegates to are taken to make none.
  std::optional<std::int64_t> fewest_calls;
  // How many events lead to the configuration that is farthest from the start.
  std::int64_t farthest = 0;
};

// Works them out of complete explorations, each once.
class WorstCases {
 public:
  const WorstCase& of(const Exploration& found, const Machine& machine,
                      const model::System& system);

 private:
  std::map<const Exploration*, WorstCase> known_;
};

}  // namespace agneto::lint
