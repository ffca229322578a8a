// What exploring says of what a rule reads from the text alone: it knows more where it was complete.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/explore/explore.h"

namespace agneto::lint {

// Whether an outcome of the state goes untaken in a run, which fails the machine.
struct Untaken {
  bool possible = true;                    // else it was explored, and is not so
  std::vector<std::string> trace = {};  // events after which it does; empty: that is not certain
};
Untaken untaken(const LintContext& context, const Machine& machine, const State& state,
                std::string_view outcome);

// As `next_state` (transitions.h), which takes guards to be true; but where all was explored a state
// to which a run comes that way, or null.
using OfState = std::function<bool(const State&)>;
const State* next_in_a_run(const LintContext& context, const Machine& machine, const State& from,
                           const OfState& fits, const OfState& stops);

}  // namespace agneto::lint
