#include "lint/merges.h"

#include <set>

namespace agneto::lint {

namespace {

const State* found_in(const model::System& system, model::MachineId machine,
                      const std::function<bool(const State&)>& fits,
                      std::set<model::MachineId>& seen) {
  if (!seen.insert(machine).second) return nullptr;
  for (const State& state : system.machine(machine).states) {
    if (fits(state)) return &state;
    const auto* each = std::get_if<model::ForEach>(&state.activity);
    const auto* delegate = each ? &each->each : std::get_if<model::Delegate>(&state.activity);
    if (!delegate || (each && each->own_workspace)) continue;
    if (const State* inner = found_in(system, delegate->machine, fits, seen)) return inner;
  }
  return nullptr;
}

}  // namespace

bool may_edit(const State& state) {
  const auto* call = std::get_if<model::AgentCall>(&state.activity);
  return call && call->access != model::Access::read_only;
}

bool may_change_files(const State& state) {
  const auto* program = std::get_if<model::Program>(&state.activity);
  return may_edit(state) || (program && program->access != model::Access::read_only);
}

bool is_operation(const State& state, model::WorkspaceOperation::Kind kind) {
  const auto* operation = std::get_if<model::WorkspaceOperation>(&state.activity);
  return operation && operation->kind == kind;
}

bool is_merge(const State& state) {
  return is_operation(state, model::WorkspaceOperation::Kind::merge);
}

const State* found_in(const model::System& system, model::MachineId machine,
                      const std::function<bool(const State&)>& fits) {
  std::set<model::MachineId> seen;
  return found_in(system, machine, fits, seen);
}

}  // namespace agneto::lint
