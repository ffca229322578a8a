// A lint check: one property that a workflow without errors should have, in a file of its own.
//
// To add one: write its file with a `Check` in it, put the name into checks.cpp, the rule into the
// catalogue (base/catalogue.h), and an example of it into tests/lint/NAME/.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "model/machine.h"

namespace agneto::lint {

struct Check {
  std::string_view name;  // of the rule whose findings it reports
  void (*run)(const model::System& system, Diagnostics& diagnostics);
};

// In the order in which they run.
const std::vector<const Check*>& checks();

extern const Check bare_word;
extern const Check dead_end;
extern const Check never_ends;
extern const Check region_crossing;
extern const Check shadowed_transition;
extern const Check unreachable_state;
extern const Check untaken_outcome;
extern const Check unused_agent;

}  // namespace agneto::lint
