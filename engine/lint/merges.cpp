#include "lint/merges.h"

namespace agneto::lint {

bool may_edit(const State& state) {
  const auto* call = std::get_if<model::AgentCall>(&state.activity);
  return call && call->access != model::Access::read_only;
}

bool is_operation(const State& state, model::WorkspaceOperation::Kind kind) {
  const auto* operation = std::get_if<model::WorkspaceOperation>(&state.activity);
  return operation && operation->kind == kind;
}

bool is_merge(const State& state) {
  return is_operation(state, model::WorkspaceOperation::Kind::merge);
}

}  // namespace agneto::lint
