#include "lint/transitions.h"

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <utility>

#include "chart/tables.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// Every run can be aborted.
bool is_abort(const Transition& transition) {
  return !transition.events.empty() &&
         std::ranges::all_of(transition.events,
                             [](const std::string& event) { return event == "abort"; });
}

// Does the state around come to its end with `inner`? A parallel state does, with other regions.
bool ends_in(const Machine& machine, StateId inner, StateId around) {
  const State& state = machine.state(inner);
  if (state.kind != StateKind::final) return false;
  const StateId parent = state.parent;
  return parent == around || (machine.state(around).kind == StateKind::parallel &&
                              machine.state(parent).parent == around);
}

bool takes_always(const Machine& machine, StateId state, const std::string& event) {
  return std::ranges::any_of(machine.state(state).on, [&](TransitionId id) {
    const Transition& transition = machine.transitions[id];
    return transition.guard == none && takes(transition, event);
  });
}

// The eventless transitions of which one is taken for certain while the state is active: all
// alternatives up to one without a guard. Empty where there is none for certain.
std::vector<const Transition*> certain(const Machine& machine, StateId state) {
  std::vector<const Transition*> result;
  for (const State* around : lineage(machine, state)) {
    if (around->kind == StateKind::parallel) return {};
    for (const TransitionId one : around->always) {
      result.push_back(&machine.transitions[one]);
      if (result.back()->guard == none) return result;
    }
  }
  return {};
}

}  // namespace

std::vector<const State*> lineage(const Machine& machine, StateId state) {
  std::vector<const State*> result;
  for (StateId id = state; id != none; id = machine.state(id).parent) {
    result.push_back(&machine.state(id));
  }
  return result;
}

bool is_inside(const Machine& machine, StateId state, StateId other) {
  return state == other || machine.is_descendant(state, other);
}

bool is_in_parallel(const Machine& machine, StateId state) {
  return std::ranges::any_of(lineage(machine, machine.state(state).parent),
                             [](const State* one) { return one->kind == StateKind::parallel; });
}

StateId entered(const Machine& machine, StateId state) {
  while (machine.state(state).kind == StateKind::compound) {
    const auto& start = machine.state(state).start.targets;
    if (start.size() != 1) return none;
    state = start.front();
  }
  return machine.state(state).kind == StateKind::atomic ? state : none;
}

std::vector<const Transition*> transitions_of(const Machine& machine, const State& state) {
  std::vector<const Transition*> result;
  for (const auto* ids : {&state.on, &state.always, &state.after}) {
    for (const TransitionId id : *ids) result.push_back(&machine.transitions[id]);
  }
  return result;
}

bool have_same_effect(const Transition& one, const Transition& other) {
  return one.targets == other.targets && one.actions.empty() && other.actions.empty();
}

bool takes(const Transition& transition, std::string_view event) {
  return std::ranges::any_of(transition.events, [&](const std::string& descriptor) {
    return model::matches(descriptor, event);
  });
}

const Transition* first_taker(const Machine& machine, const State& state, std::string_view event) {
  const auto takers = model::takers(machine, state.id, event);
  return takers.empty() ? nullptr : &machine.transitions[takers.front()];
}

bool waits_for_event(const Machine& machine, const State& state) {
  return std::ranges::any_of(state.on, [&](TransitionId id) {
    return !std::ranges::all_of(machine.transitions[id].events, model::is_engines);
  });
}

bool is_left_in_time(const Machine& machine, StateId state) {
  return std::ranges::any_of(lineage(machine, state), [](const State* one) {
    return !one->after.empty() || !one->always.empty();
  });
}

std::vector<const State*> ends(const Machine& machine) {
  const std::vector<bool> reached = reachable(machine);
  std::vector<const State*> result;
  for (const StateId id : machine.state(0).children) {
    const State& state = machine.state(id);
    if (state.kind == StateKind::final && reached[id]) result.push_back(&state);
  }
  return result;
}

std::vector<bool> reachable(const Machine& machine) {
  std::vector<bool> reached(machine.states.size());
  std::vector<bool> entered(machine.states.size());
  // A state that is active, and whether what it begins in is entered, too.
  std::vector<std::pair<StateId, bool>> pending = {{0, true}};
  // What a shallow history remembers is entered anew, and so is what that begins in.
  const auto add_remembered = [&] {
    for (const State& history : machine.states) {
      if (history.kind != StateKind::shallow_history || !reached[history.id]) continue;
      for (const StateId child : machine.state(history.parent).children) {
        if (reached[child] && !entered[child]) pending.emplace_back(child, true);
      }
    }
    return !pending.empty();
  };
  while (!pending.empty() || add_remembered()) {
    const auto [id, begins] = pending.back();
    pending.pop_back();
    const State& state = machine.state(id);
    if (begins && !entered[id]) {
      entered[id] = true;
      for (const StateId target : state.start.targets) pending.emplace_back(target, true);
    }
    if (reached[id]) continue;
    reached[id] = true;
    if (id != 0) pending.emplace_back(state.parent, false);
    for (const Transition* transition : transitions_of(machine, state)) {
      for (const StateId target : transition->targets) pending.emplace_back(target, true);
    }
    if (state.kind != StateKind::parallel) continue;
    for (const StateId region : state.children) {
      if (!chart::is_history(machine.state(region))) pending.emplace_back(region, true);
    }
  }
  return reached;
}

// A transition in one region of a parallel state can lead out of all of them.
std::vector<bool> can_end(const Machine& machine) {
  std::vector<std::vector<StateId>> before(machine.states.size());
  const auto add = [&](StateId from, StateId to) { before[to].push_back(from); };
  for (const State& state : machine.states) {
    for (const Transition* transition : transitions_of(machine, state)) {
      if (is_abort(*transition)) continue;
      for (const StateId target : transition->targets) add(state.id, target);
    }
    if (state.id == 0) continue;
    // The transitions of states around it are its own too.
    add(state.id, state.parent);
    if (machine.state(state.parent).kind == StateKind::parallel) add(state.parent, state.id);
    for (const StateId target : state.start.targets) add(state.id, target);
    if (chart::is_history(state)) {
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

std::map<StateId, std::vector<StateId>> restless(const Machine& machine) {
  std::map<StateId, std::vector<StateId>> next;
  std::map<StateId, std::vector<StateId>> before;
  for (const State& state : machine.states) {
    if (state.kind != StateKind::atomic) continue;
    for (const Transition* one : certain(machine, state.id)) {
      const StateId to = one->targets.empty()       ? state.id
                         : one->targets.size() == 1 ? entered(machine, one->targets.front())
                                                    : none;
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

bool can_follow(const Machine& machine, StateId inner, const Transition& transition) {
  if (transition.source == inner || transition.events.empty()) return true;
  const std::string done = "done.state." + machine.state(transition.source).name;
  return std::ranges::any_of(transition.events, [&](const std::string& event) {
    const bool waits_for_end = event == done && !ends_in(machine, inner, transition.source);
    if (waits_for_end) return false;
    for (StateId s = inner; s != transition.source; s = machine.state(s).parent) {
      if (takes_always(machine, s, event)) return false;
    }
    return true;
  });
}

namespace {

// Adds the atomic states that are entered with the target.
void enter_all(const Machine& machine, StateId id, std::deque<StateId>& pending) {
  const State& state = machine.state(id);
  if (state.kind == StateKind::parallel) {
    for (const StateId region : state.children) enter_all(machine, region, pending);
  }
  for (const StateId target : state.start.targets) enter_all(machine, target, pending);
  if (state.children.empty()) pending.push_back(id);
}

bool takes_errors_only(const Transition& transition) {
  return !transition.events.empty() && std::ranges::all_of(transition.events, model::is_error);
}

bool takes_limits_only(const Transition& transition) {
  return !transition.events.empty() &&
         std::ranges::all_of(transition.events, [](const std::string& event) {
           return model::matches("limit", event);
         });
}

void follow(const Machine& machine, const State& state, bool errors, bool limited,
            std::deque<StateId>& pending) {
  for (const State* around : lineage(machine, state.id)) {
    for (const Transition* transition : transitions_of(machine, *around)) {
      if (!errors && takes_errors_only(*transition)) continue;
      if (!limited && takes_limits_only(*transition)) continue;
      if (!can_follow(machine, state.id, *transition)) continue;
      for (const StateId target : transition->targets) enter_all(machine, target, pending);
    }
  }
}

}  // namespace

const State* next_state(const Machine& machine, const State& from, const OfState& fits,
                        const OfState& stops, bool limited) {
  std::set<StateId> seen;
  std::deque<StateId> pending;
  follow(machine, from, false, limited, pending);
  while (!pending.empty()) {
    const State& state = machine.state(pending.front());
    pending.pop_front();
    if (!seen.insert(state.id).second || stops(state)) continue;
    if (fits(state)) return &state;
    follow(machine, state, true, limited, pending);
  }
  return nullptr;
}

NextStates::NextStates(const Machine& machine, const OfState& fits, const OfState& stops)
    : machine_(machine),
      next_(machine.states.size(), none),
      distance_(machine.states.size(), unreached) {
  std::vector<std::vector<StateId>> before(machine.states.size());
  std::deque<StateId> pending;
  for (const State& state : machine.states) {
    if (!state.children.empty() || stops(state)) continue;
    if (fits(state)) {
      next_[state.id] = state.id;
      distance_[state.id] = 0;
      pending.push_back(state.id);
      continue;
    }
    std::deque<StateId> behind;
    follow(machine, state, true, true, behind);
    for (const StateId id : behind) before[id].push_back(state.id);
  }
  while (!pending.empty()) {
    const StateId at = pending.front();
    pending.pop_front();
    for (const StateId id : before[at]) {
      if (distance_[id] != unreached) continue;
      next_[id] = next_[at];
      distance_[id] = distance_[at] + 1;
      pending.push_back(id);
    }
  }
}

const State* NextStates::from(const State& state) const {
  std::deque<StateId> behind;
  follow(machine_, state, false, true, behind);
  const auto nearest =
      std::ranges::min_element(behind, {}, [&](StateId id) { return distance_[id]; });
  if (nearest == behind.end() || distance_[*nearest] == unreached) return nullptr;
  return &machine_.state(next_[*nearest]);
}

}  // namespace agneto::lint
