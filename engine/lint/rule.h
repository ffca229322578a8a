// A lint rule: one property that a workflow without errors should have, in a file of its own.
//
// To add one: write its file with a `Rule` in it, and put the name into rules.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "model/machine.h"

namespace agneto::lint {

struct Rule {
  std::string_view name;         // names its findings: "unreachable-state"
  std::string_view description;  // what it finds, in one sentence
  void (*check)(const model::System& system, Diagnostics& diagnostics);
};

// In the order in which they run.
const std::vector<const Rule*>& rules();

extern const Rule bare_word;
extern const Rule dead_end;
extern const Rule never_ends;
extern const Rule region_crossing;
extern const Rule shadowed_transition;
extern const Rule unreachable_state;
extern const Rule untaken_outcome;
extern const Rule unused_agent;

}  // namespace agneto::lint
