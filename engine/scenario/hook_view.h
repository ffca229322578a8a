// What a hook sees of a call where there is no run: of a scenario test, of a machine in another
// program.
#pragma once

#include "base/json.h"
#include "chart/step.h"

namespace agneto::scenario {

// `m` without its workspace, in the call's `attempt`.
Json seen_by_hook(const chart::CallAgent& call, const model::System& system,
                  const chart::Instance& instance, std::size_t attempt);

// There are no files; hooks find the fields all the same.
Json empty_workspace();

}  // namespace agneto::scenario
