#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"
#include "lint/reachable.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;

// What anybody can do to every run.
bool is_abort(const model::Transition& transition) {
  return !transition.events.empty() &&
         std::all_of(transition.events.begin(), transition.events.end(),
                     [](const std::string& event) { return event == "abort"; });
}

// By StateId: can the machine end once the state was active? Every guard is taken to be true and
// every event to come, so that a no is certain. What happens in one region of a parallel state can
// lead out of all of them.
std::vector<bool> ending(const Machine& machine) {
  std::vector<std::vector<StateId>> before(machine.states.size());
  const auto add = [&](StateId from, StateId to) { before[to].push_back(from); };
  for (const State& state : machine.states) {
    for (const auto* transitions : {&state.on, &state.always, &state.after}) {
      for (const model::TransitionId id : *transitions) {
        const model::Transition& transition = machine.transitions[id];
        if (is_abort(transition)) continue;
        for (const StateId target : transition.targets) add(state.id, target);
      }
    }
    if (state.id == 0) continue;
    // The transitions of states around it are its own too.
    add(state.id, state.parent);
    if (machine.state(state.parent).kind == StateKind::parallel) add(state.parent, state.id);
    for (const StateId target : state.start.targets) add(state.id, target);
    if (state.kind == StateKind::shallow_history || state.kind == StateKind::deep_history) {
      for (StateId id = state.parent + 1; id <= machine.state(state.parent).last; ++id) {
        add(state.id, id);
      }
    }
  }
  std::vector<bool> ends(machine.states.size());
  std::vector<StateId> pending;
  for (const StateId id : machine.state(0).children) {
    if (machine.state(id).kind == StateKind::final) pending.push_back(id);
  }
  while (!pending.empty()) {
    const StateId id = pending.back();
    pending.pop_back();
    if (ends[id]) continue;
    ends[id] = true;
    pending.insert(pending.end(), before[id].begin(), before[id].end());
  }
  return ends;
}

bool has_way_out(const State& machine) {
  return !machine.on.empty() || !machine.always.empty() || !machine.after.empty();
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    const std::vector<bool> reached = reachable(machine);
    const std::vector<bool> ends = ending(machine);
    const auto& children = machine.state(0).children;
    // A machine that never ends at all is the business of `never-ends`, and a state in which
    // nothing happens that of `dead-end`.
    const bool some_end = std::any_of(children.begin(), children.end(), [&](StateId id) {
      return machine.state(id).kind == StateKind::final && reached[id];
    });
    if (!some_end) continue;
    for (const State& state : machine.states) {
      if (state.id == 0 || !reached[state.id] || ends[state.id]) continue;
      if (state.kind != StateKind::atomic || !(state.has_activity() || has_way_out(state)))
        continue;
      diagnostics
          .warning(trap.name, state.span,
                   fmt::format("from '{}' on no final state can be reached", state.name))
          .help =
          "lead out of it: to a state with `final: true` directly under the machine's "
          "`states`, or to one that leads there";
      break;
    }
  }
}

}  // namespace

const Check trap = {"trap", check};

}  // namespace agneto::lint
