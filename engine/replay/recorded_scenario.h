// A recorded run as a scenario test; docs/testing.md describes the format.
#pragma once

#include <string>
#include <vector>

#include "chart/evaluator.h"
#include "journal/journal.h"
#include "model/machine.h"
#include "record/entry.h"

namespace agneto::replay {

// YAML with one case: what came of the world, step by step, and what must come of it: path,
// outcome, context. Of `entries` those that stand count. `workflow`: as the file is to name it;
// empty: it stands beside it under its name.
std::string to_scenario(const journal::RunRecord& run, const std::vector<record::Entry>& entries,
                        const model::System& system, chart::Evaluator& evaluator,
                        const std::string& workflow);

}  // namespace agneto::replay
