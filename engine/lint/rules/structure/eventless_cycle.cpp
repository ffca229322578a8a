#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lint/check.h"
#include "lint/reachable.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;
using model::Transition;

// The atomic state in which entering `id` ends; none where there may be several, or it ends
// elsewhere.
StateId entered(const Machine& machine, StateId id) {
  while (machine.state(id).kind == StateKind::compound &&
         machine.state(id).start.targets.size() == 1) {
    id = machine.state(id).start.targets.front();
  }
  return machine.state(id).kind == StateKind::atomic ? id : model::none;
}

// The eventless transitions of which one is taken for certain while the state is active: all
// alternatives up to one without a guard. Empty where there is none for certain.
std::vector<const Transition*> certain(const Machine& machine, StateId state) {
  std::vector<const Transition*> result;
  for (StateId id = state; id != model::none; id = machine.state(id).parent) {
    if (machine.state(id).kind == StateKind::parallel) return {};
    for (const model::TransitionId one : machine.state(id).always) {
      result.push_back(&machine.transitions[one]);
      if (result.back()->guard == model::none) return result;
    }
  }
  return {};
}

}  // namespace

std::map<StateId, std::vector<StateId>> restless(const Machine& machine) {
  std::map<StateId, std::vector<StateId>> next;
  std::map<StateId, std::vector<StateId>> before;
  for (const State& state : machine.states) {
    if (state.kind != StateKind::atomic) continue;
    for (const Transition* one : certain(machine, state.id)) {
      const StateId to = one->targets.empty()       ? state.id
                         : one->targets.size() == 1 ? entered(machine, one->targets.front())
                                                    : model::none;
      next[state.id].push_back(to);
      before[to].push_back(state.id);
    }
  }
  std::vector<StateId> resting;
  for (const auto& [to, from] : before) {
    if (!next.contains(to)) resting.push_back(to);
  }
  while (!resting.empty()) {
    const StateId to = resting.back();
    resting.pop_back();
    for (const StateId from : before[to]) {
      if (next.erase(from) > 0) resting.push_back(from);
    }
  }
  return next;
}

namespace {

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    const auto next = restless(machine);
    if (next.empty()) continue;
    const std::vector<bool> reached = reachable(machine);
    const auto first =
        std::find_if(next.begin(), next.end(), [&](const auto& one) { return reached[one.first]; });
    if (first == next.end()) continue;
    std::string way;
    std::set<StateId> seen;
    StateId at = first->first;
    for (; seen.insert(at).second; at = next.at(at).back()) way += machine.state(at).name + " -> ";
    diagnostics
        .warning(eventless_cycle.name, machine.state(first->first).span,
                 fmt::format("transitions without an event lead round in a circle for ever: {}{}",
                             way, machine.state(at).name))
        .help = "let one of these states wait for an event, or give one of the transitions a guard";
  }
}

}  // namespace

const Check eventless_cycle = {"eventless-cycle", check};

}  // namespace agneto::lint
