#include <fmt/format.h>

#include <deque>
#include <set>

#include "lint/check.h"
#include "lint/following.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;

bool may_edit(const State& state) {
  const auto* call = std::get_if<model::AgentCall>(&state.activity);
  return call && call->access != model::Access::read_only;
}

// Somebody or something looks at the work there: a person, an agent that only reads, a program; or
// a machine, which may do anything.
bool is_gate(const State& state) {
  return state.has_activity() && !may_edit(state) &&
         !std::holds_alternative<model::WorkspaceOperation>(state.activity);
}

// What is entered with the target.
void enter(const Machine& machine, StateId id, std::deque<StateId>& pending) {
  const State& state = machine.state(id);
  if (state.kind == model::StateKind::parallel) {
    for (const StateId region : state.children) enter(machine, region, pending);
  }
  for (const StateId target : state.start.targets) enter(machine, target, pending);
  if (state.children.empty()) pending.push_back(id);
}

// There another region may look at the work.
bool in_parallel(const Machine& machine, const State& state) {
  for (StateId id = state.parent; id != model::none; id = machine.state(id).parent) {
    if (machine.state(id).kind == model::StateKind::parallel) return true;
  }
  return false;
}

// The first merge that can follow the agent's work with no gate between; null where there is none.
const State* unchecked_merge(const Machine& machine, const State& agent) {
  std::set<StateId> seen;
  std::deque<StateId> pending = {agent.id};
  while (!pending.empty()) {
    const State& state = machine.state(pending.front());
    pending.pop_front();
    if (!seen.insert(state.id).second || is_gate(state)) continue;
    if (const auto* operation = std::get_if<model::WorkspaceOperation>(&state.activity)) {
      using Kind = model::WorkspaceOperation::Kind;
      if (operation->kind == Kind::merge) return &state;
      if (operation->kind == Kind::discard) continue;  // nothing of it is left
    }
    for (StateId id = state.id; id != model::none; id = machine.state(id).parent) {
      for (const auto* transitions :
           {&machine.state(id).on, &machine.state(id).always, &machine.state(id).after}) {
        for (const model::TransitionId transition : *transitions) {
          if (!can_follow(machine, state.id, machine.transitions[transition])) continue;
          for (const StateId target : machine.transitions[transition].targets) {
            enter(machine, target, pending);
          }
        }
      }
    }
  }
  return nullptr;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    std::set<StateId> reported;
    for (const State& agent : machine.states) {
      const bool followed = may_edit(agent) && !in_parallel(machine, agent);
      const State* merge = followed ? unchecked_merge(machine, agent) : nullptr;
      if (!merge || !reported.insert(merge->id).second) continue;
      Diagnostic& finding = diagnostics.warning(
          ungated_merge.name, merge->span,
          fmt::format("'{}' merges what the agent of '{}' did, and nobody has looked at it",
                      merge->name, agent.name));
      finding.help =
          "put a question, an agent that only reads, or a program that checks it in between";
      finding.related.push_back({agent.span, "the agent that may edit"});
    }
  }
}

}  // namespace

const Check ungated_merge = {"ungated-merge", check};

}  // namespace agneto::lint
