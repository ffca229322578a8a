// What rules ask of the way from somebody's work to the branch it is merged into.
#pragma once

#include "lint/context.h"

namespace agneto::lint {

// Does an agent that may edit work there?
bool may_edit(const State& state);
// Is it a workspace operation of that kind?
bool is_operation(const State& state, model::WorkspaceOperation::Kind kind);
bool is_merge(const State& state);

}  // namespace agneto::lint
