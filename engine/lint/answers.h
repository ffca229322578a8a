// Machines that answer each other's events without waiting for anything.
#pragma once

#include <vector>

#include "lint/context.h"

namespace agneto::lint {

// A transition that stays where it is, has no guard, and sends another machine an event each time.
struct Answer {
  const Machine* machine = nullptr;
  const Transition* taken = nullptr;
  const Raised* sent = nullptr;
};

// Circles of answers of the machine, and of one that a state of it delegates to, by turns. Each is
// what the one before may be answered by, and the first is what the last one may be.
std::vector<std::vector<Answer>> endless_answers(const LintContext& context,
                                                 const Machine& machine);

}  // namespace agneto::lint
