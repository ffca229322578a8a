#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "base/text.h"
#include "lint/check.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;
using model::Transition;

// A timer or an eventless transition may lead out in time.
bool has_way_out(const Machine& machine, StateId state) {
  for (StateId id = state; id != model::none; id = machine.state(id).parent) {
    if (!machine.state(id).after.empty() || !machine.state(id).always.empty()) return true;
  }
  return false;
}

// Is a person asked there, or somewhere in the machine that it delegates to?
bool asks(const model::System& system, const State& state, int depth = 0) {
  constexpr int deepest = 16;  // machines may delegate in a circle
  if (std::holds_alternative<model::Ask>(state.activity)) return true;
  const model::Delegate* delegate = model::delegate_of(state.activity);
  if (!delegate || depth == deepest) return false;
  const auto& inner = system.machine(delegate->machine).states;
  return std::any_of(inner.begin(), inner.end(),
                     [&](const State& one) { return asks(system, one, depth + 1); });
}

// The atomic state that is entered with this one; none where there are several, or it depends.
StateId entered(const Machine& machine, StateId id) {
  while (machine.state(id).kind == model::StateKind::compound) {
    const auto& start = machine.state(id).start.targets;
    if (start.size() != 1) return model::none;
    id = start.front();
  }
  return machine.state(id).kind == model::StateKind::atomic ? id : model::none;
}

// Does any of the code make an event? That may be the way out of a round.
bool makes_events(const Subject& subject, const Machine& machine,
                  const std::vector<model::CodeId>& code) {
  return std::any_of(code.begin(), code.end(), [&](model::CodeId id) {
    bool found = false;
    const Piece& piece = subject.piece(machine, id);
    if (!piece.tree) return true;
    lua::walk(*piece.tree, [&](const lua::Node& node) {
      found = found || node.is(lua::Node::Kind::global, "raise") ||
              node.is(lua::Node::Kind::global, "send");
    });
    return found;
  });
}

// What leads on without a guard and without a person: by state, the transitions of its outcomes.
class Rounds {
 public:
  Rounds(const Subject& subject, const Machine& machine) {
    for (const State& state : machine.states) {
      if (asks(subject.system, state) || has_way_out(machine, state.id)) continue;
      if (makes_events(subject, machine, state.entry)) continue;
      for (const model::Outcome& outcome : outcomes(state, subject.system)) {
        // What is tried again where it failed is another rule's business.
        if (outcome.name == "failed" || outcome.name == "conflict") continue;
        const auto taking = takers(machine, state.id, outcome.name);
        if (taking.empty()) continue;
        const Transition& first = machine.transitions[taking.front()];
        if (first.guard != model::none || first.targets.size() != 1) continue;
        if (makes_events(subject, machine, first.actions)) continue;
        const StateId to = entered(machine, first.targets.front());
        if (to != model::none && to != state.id) ways_[state.id].push_back({&first, to});
      }
    }
  }

  // The shortest round that begins in the state, as the transitions in it; empty without one.
  std::vector<const Transition*> from(StateId start) const {
    std::map<StateId, Way> before;  // how each was found, and from where
    std::deque<StateId> pending = {start};
    while (!pending.empty() && !before.contains(start)) {
      const StateId at = pending.front();
      pending.pop_front();
      const auto ways = ways_.find(at);
      if (ways == ways_.end()) continue;
      for (const Way& way : ways->second) {
        if (before.try_emplace(way.to, Way{way.transition, at}).second) pending.push_back(way.to);
      }
    }
    std::vector<const Transition*> round;
    if (!before.contains(start)) return round;
    StateId at = start;
    do {
      round.push_back(before[at].transition);
      at = before[at].to;
    } while (at != start);
    std::reverse(round.begin(), round.end());
    return round;
  }

 private:
  struct Way {
    const Transition* transition = nullptr;
    StateId to = model::none;
  };

  std::map<StateId, std::vector<Way>> ways_;
};

void check_machine(const Subject& subject, const Machine& machine, Diagnostics& diagnostics) {
  const Rounds rounds(subject, machine);
  for (const State& state : machine.states) {
    if (!std::holds_alternative<model::AgentCall>(state.activity)) continue;
    const auto round = rounds.from(state.id);
    if (round.empty()) continue;
    std::string way = state.name;
    for (const Transition* transition : round) {
      way += fmt::format(" -> {}", machine.state(transition->targets.front()).name);
    }
    Diagnostic& finding = diagnostics.warning(
        no_budget.name, round.back()->span,
        fmt::format("{} goes on for as long as the agents want: no guard counts, nobody is asked, "
                    "and there are no `limits`",
                    way));
    finding.help =
        "bound what a run may come to, as in limits: {calls: 30}; or count the rounds in the "
        "context";
    return;
  }
}

// What is spent is bounded by limits of the run, whatever goes round.
void check(const Subject& subject, Diagnostics& diagnostics) {
  if (subject.system.main().limits.any()) return;
  for (const Machine& machine : subject.system.machines) {
    if (!machine.limits.any()) check_machine(subject, machine, diagnostics);
  }
}

}  // namespace

const Check no_budget = {"no-budget", check};

}  // namespace agneto::lint
