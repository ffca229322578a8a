// What rules ask of the way from somebody's work to the branch it is merged into.
#pragma once

#include <functional>

#include "lint/context.h"

namespace agneto::lint {

// Does an agent that may edit work there?
bool may_edit(const State& state);
// Is it a workspace operation of that kind?
bool is_operation(const State& state, model::WorkspaceOperation::Kind kind);

// The first merge that can follow what the state comes to, other than an error, before one of the
// states at which the search `stops`; null where there is none. Guards are taken to be true.
const State* next_merge(const Machine& machine, const State& from,
                        const std::function<bool(const State&)>& stops);

}  // namespace agneto::lint
