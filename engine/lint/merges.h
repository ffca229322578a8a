// What rules ask of the way from somebody's work to the branch it is merged into.
#pragma once

#include <functional>

#include "lint/context.h"

namespace agneto::lint {

// Does an agent that may edit work there?
bool may_edit(const State& state);
// Does an agent or a program work there that may change a file?
bool may_change_files(const State& state);
// Is it a workspace operation of that kind?
bool is_operation(const State& state, model::WorkspaceOperation::Kind kind);
bool is_merge(const State& state);

// A state of the machine, or of one that it delegates to in the same worktree, that fits; null:
// there is none.
const State* found_in(const model::System& system, model::MachineId machine,
                      const std::function<bool(const State&)>& fits);

}  // namespace agneto::lint
