#include "lint/rule.h"

namespace agneto::lint {

namespace {

// The agent that the region begins with, if it may edit: later ones may wait for the other region.
const State* writer(const Machine& machine, StateId region) {
  const StateKind kind = machine.state(region).kind;
  if (kind != StateKind::atomic && kind != StateKind::compound) return nullptr;
  StateId id = region;
  while (machine.state(id).start.targets.size() == 1) id = machine.state(id).start.targets.front();
  const auto* call = std::get_if<model::AgentCall>(&machine.state(id).activity);
  return call && call->access != model::Access::read_only ? &machine.state(id) : nullptr;
}

}  // namespace

extern const LintRule parallel_writers = {
    {"W419", "parallel-writers", "regions that begin with agents which may edit",
     R"(A run has one worktree with one writer at a time: the second agent waits for the first, and then works
on files that are not as it was told. Do one after the other, or give each a worktree of its own with
`for_each` and `workspace: own`.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      if (state.kind != StateKind::parallel) return;
      const State* first = nullptr;
      for (const StateId region : state.children) {
        const State* other = writer(machine, region);
        if (first && other) {
          report(other->span,
                 "'{}' and '{}' edit one worktree: one waits for the other, and finds its changes",
                 first->name, other->name)
              .help(
                  "do one after the other, or use for_each with `workspace: own`; an agent that "
                  "only reads has `access: read-only`")
              .related(first->span, "the other agent that may edit");
          break;
        }
        if (other) first = other;
      }
    }};

}  // namespace agneto::lint
