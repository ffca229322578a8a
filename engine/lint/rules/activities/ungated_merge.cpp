#include <deque>
#include <set>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

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

// Adds the atomic states that are entered with the target.
void enter(const Machine& machine, StateId id, std::deque<StateId>& pending) {
  const State& state = machine.state(id);
  if (state.kind == StateKind::parallel) {
    for (const StateId region : state.children) enter(machine, region, pending);
  }
  for (const StateId target : state.start.targets) enter(machine, target, pending);
  if (state.children.empty()) pending.push_back(id);
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
    for (const State* around : lineage(machine, state.id)) {
      for (const Transition* transition : transitions_of(machine, *around)) {
        if (!can_follow(machine, state.id, *transition)) continue;
        for (const StateId target : transition->targets) enter(machine, target, pending);
      }
    }
  }
  return nullptr;
}

}  // namespace

extern const LintRule ungated_merge = {
    {"W422", "ungated-merge", "a merge of what an agent did, with nothing that looks at it before",
     R"(Between an agent that may edit and the merge there is no question to a person, no agent that only
reads, and no program that checks the work. So whatever the agent did gets onto the branch.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      std::set<StateId> reported;
      for (const State& agent : machine.states) {
        const bool followed = may_edit(agent) && !is_in_parallel(machine, agent.id);
        const State* merge = followed ? unchecked_merge(machine, agent) : nullptr;
        if (!merge || !reported.insert(merge->id).second) continue;
        report(merge->span, "'{}' merges what the agent of '{}' did, and nobody has looked at it",
               merge->name, agent.name)
            .help(
                "put a question, an agent that only reads, or a program that checks it in between")
            .related(agent.span, "the agent that may edit");
      }
    }};

}  // namespace agneto::lint
