#include "lint/reachable.h"

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

}  // namespace

std::vector<bool> reachable(const Machine& machine) {
  return Search(machine).run();
}

}  // namespace agneto::lint
