#include <fmt/format.h>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;

// The agent that the region begins with, if it may edit: later ones may wait for the other region.
const State* writer(const Machine& machine, StateId region) {
  const model::StateKind kind = machine.state(region).kind;
  if (kind != model::StateKind::atomic && kind != model::StateKind::compound) return nullptr;
  StateId id = region;
  while (machine.state(id).start.targets.size() == 1) id = machine.state(id).start.targets.front();
  const auto* call = std::get_if<model::AgentCall>(&machine.state(id).activity);
  return call && call->access != model::Access::read_only ? &machine.state(id) : nullptr;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const State& state : machine.states) {
      if (state.kind != model::StateKind::parallel) continue;
      const State* first = nullptr;
      for (const StateId region : state.children) {
        const State* other = writer(machine, region);
        if (first && other) {
          Diagnostic& finding = diagnostics.warning(
              parallel_writers.name, other->span,
              fmt::format("'{}' and '{}' edit one worktree: one waits for the other, and finds "
                          "its changes",
                          first->name, other->name));
          finding.help =
              "do one after the other, or use for_each with `workspace: own`; an agent that only "
              "reads has `access: read-only`";
          finding.related.push_back({first->span, "the other agent that may edit"});
          break;
        }
        if (other) first = other;
      }
    }
  }
}

}  // namespace

const Check parallel_writers = {"parallel-writers", check};

}  // namespace agneto::lint
