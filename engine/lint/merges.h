// What rules ask of the way from somebody's work to the branch it is merged into.
#pragma once

#include <functional>
#include <vector>

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

// Is the machine one that people run, in whose worktree nothing has changed when it begins? A part
// of others has inputs, and none for the task.
bool is_run(const LintContext& context, const Machine& machine);
// By StateId: has certainly nothing changed in the worktree since the last commit when the state is
// entered? A change of a person's hand is one, wherever a person is asked. Where the machine has
// regions or histories nothing is certain. `begins_unchanged`: has nothing changed by its start?
std::vector<bool> entered_unchanged(const Machine& machine, bool begins_unchanged);

}  // namespace agneto::lint
