// Ways that a run can surely go, of all that were explored.
//
// What was explored is more than can happen: a timer may never come due before another one, a
// machine may never end in one of its outcomes. A way counts here where each step of it surely can
// happen. Agents, people and programs do what they can, whenever that helps, and take as long as
// their timeouts let them; the items of a for_each come to some end. Which timer comes due first is
// taken to be the worst, unless the delays say which; but time goes on, so that one that is not
// started again comes due some time. Where it is not known what an event leads to, it is the worst.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lint/explore/explore.h"

namespace agneto::lint {

// By configuration: does a way lead from it to one of `goals`? `timed`: may time pass on it?
std::vector<bool> sure_ways(const Exploration& found, const Machine& machine,
                            const std::vector<bool>& goals, bool timed = true);

// On what it rests that these edges, which lead from one configuration to the next, can be gone, as
// "the timer '2m' of 'A' comes due first"; empty where it is what an event leads to.
std::string what_is_doubtful(const Exploration& found, const Machine& machine,
                             const std::vector<std::uint32_t>& way);

// Notes which of its ends a machine can surely come to.
void note_ways_to_ends(Exploration& found, const Machine& machine);

}  // namespace agneto::lint
