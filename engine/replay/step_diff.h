// Macrosteps as lines, so that two can be compared.
#pragma once

#include <string>
#include <vector>

#include "chart/step.h"
#include "record/entry.h"

namespace agneto::replay {

// Tells, in lines, what a step asked for and which transitions it took. Places in files are
// left out, since an edit moves them. `system`: the one that made it; it says whom calls are of.
std::string told_step(const record::Macrostep& step, const model::System& system);

// Where the machine stands: the configuration, and the data that differs from `other`'s.
std::string place_text(const chart::Instance& instance, const chart::Instance* other);

// "TASK_COMPLETE (complete)", or "in A, B".
std::string end_text(const chart::Instance& instance, const std::optional<chart::Finish>& finish);

}  // namespace agneto::replay
