#include "lint/reachable.h"

#include <algorithm>

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;

class Search {
 public:
  explicit Search(const Machine& machine) : machine_(machine), reached_(machine.states.size()) {}

  std::vector<bool> run() {
    enter(0);
    while (!pending_.empty()) {
      const State& state = machine_.state(pending_.back());
      pending_.pop_back();
      leave(state);
    }
    return std::move(reached_);
  }

 private:
  // With what it enters by default.
  void enter(StateId id) {
    mark(id);
    const State& state = machine_.state(id);
    if (entered_[id]) return;
    entered_[id] = true;
    for (const StateId target : state.start.targets) enter(target);
  }

  // As active, with the states around it; not what a compound among them would begin in.
  void mark(StateId id) {
    if (reached_[id]) return;
    reached_[id] = true;
    pending_.push_back(id);
    const State& state = machine_.state(id);
    if (id != 0) mark(state.parent);
    if (state.kind == StateKind::parallel) {
      for (const StateId region : state.children) {
        if (!is_history(machine_.state(region))) enter(region);
      }
    }
  }

  void leave(const State& state) {
    for (const auto* transitions : {&state.on, &state.always, &state.after}) {
      for (const model::TransitionId id : *transitions) {
        for (const StateId target : machine_.transitions[id].targets) enter(target);
      }
    }
  }

  static bool is_history(const State& state) {
    return state.kind == StateKind::shallow_history || state.kind == StateKind::deep_history;
  }

  const Machine& machine_;
  std::vector<bool> reached_;
  std::vector<bool> entered_ = std::vector<bool>(reached_.size());
  std::vector<StateId> pending_;
};

// What anybody can do to every run.
bool is_abort(const model::Transition& transition) {
  return !transition.events.empty() &&
         std::all_of(transition.events.begin(), transition.events.end(),
                     [](const std::string& event) { return event == "abort"; });
}

}  // namespace

std::vector<bool> reachable(const Machine& machine) {
  return Search(machine).run();
}

// What happens in one region of a parallel state can lead out of all of them.
std::vector<bool> can_end(const Machine& machine) {
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

}  // namespace agneto::lint
