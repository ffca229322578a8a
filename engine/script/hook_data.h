// What a hook sees of a call: `m`.
#pragma once

#include "base/json.h"
#include "chart/step.h"

namespace agneto::script {

// Without `m.workspace`. Where a call is tried again, the caller writes the three fields that tell
// of it: `attempt`, `last_error` and `verdicts`.
Json hook_data(const chart::CallAgent& call, const model::System& system,
               const chart::Instance& instance, std::size_t attempt = 1);

// `m.workspace` where there are no files; hooks find the fields all the same.
Json empty_workspace();

}  // namespace agneto::script
