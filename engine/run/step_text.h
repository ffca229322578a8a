// Macrosteps as lines that can be compared.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "chart/step.h"

namespace agneto::run {

// What a step asked for and which transitions it took, of a macrostep's entry. Places in files are
// left out, since an edit moves them. `system`: the one that made it; it says whom calls are of.
std::string retold(const Json& macrostep, const model::System& system);

// Where the machine stands: the configuration, and the data that differs from `other`'s.
std::string standing_of(const chart::Instance& instance, const chart::Instance* other);

// "TASK_COMPLETE (complete)", or "in A, B".
std::string end_of(const chart::Instance& instance, const std::optional<chart::Finish>& finish);

}  // namespace agneto::run
