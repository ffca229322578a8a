#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "lint/explore/worst_case.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// Is a person asked there, or somewhere in the machine that it delegates to?
bool asks(const model::System& system, const State& state, std::set<model::MachineId>& seen) {
  if (std::holds_alternative<model::Ask>(state.activity)) return true;
  const model::Delegate* delegate = model::delegate_of(state.activity);
  if (!delegate || !seen.insert(delegate->machine).second) return false;
  const auto& inner = system.machine(delegate->machine).states;
  return std::ranges::any_of(inner, [&](const State& one) { return asks(system, one, seen); });
}

bool asks(const model::System& system, const State& state) {
  std::set<model::MachineId> seen;
  return asks(system, state, seen);
}

// Does any of the code make an event? That may be the way out of a round.
bool makes_events(const LintContext& context, const Machine& machine,
                  const std::vector<CodeId>& code) {
  return std::ranges::any_of(code, [&](CodeId id) {
    const Piece& piece = context.piece(machine, id);
    return !piece.tree || any_node(*piece.tree, [](const Node& node) {
      return names_action(node) && node.text != "cancel";
    });
  });
}

// What the question comes to at once where nobody can be asked; empty where that is not certain.
std::string answer_of_nobody(const model::Ask& ask) {
  const auto option = std::ranges::find(ask.options, ask.default_option, &model::Option::name);
  return option == ask.options.end() || option->when != none ? "" : ask.default_option;
}

// The transitions by which each state's outcomes lead on without a guard and without a person.
// `attended`: somebody can be asked.
class Rounds {
 public:
  Rounds(const LintContext& context, const Machine& machine, bool attended) {
    for (const State& state : machine.states) {
      const auto* ask = std::get_if<model::Ask>(&state.activity);
      const std::string answer = ask && !attended ? answer_of_nobody(*ask) : "";
      if (answer.empty() && asks(context.system, state)) continue;
      if (is_left_in_time(machine, state.id)) continue;
      if (makes_events(context, machine, state.entry)) continue;
      for (const model::Outcome& outcome : outcomes(state, context.system)) {
        if (!answer.empty() && outcome.name != answer) continue;
        // Another rule looks at what is tried again where it failed.
        const bool fails = outcome.name == "failed" || outcome.name == "conflict";
        if (attended && fails) continue;
        const auto taking = takers(machine, state.id, outcome.name);
        if (taking.empty()) continue;
        const Transition& first = machine.transitions[taking.front()];
        if (first.guard != none || first.targets.size() != 1) continue;
        if (makes_events(context, machine, first.actions)) continue;
        const StateId to = entered(machine, first.targets.front());
        if (to != none && to != state.id) ways_[state.id].push_back({&first, to});
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
    std::ranges::reverse(round);
    return round;
  }

 private:
  struct Way {
    const Transition* transition = nullptr;
    StateId to = none;
  };

  std::map<StateId, std::vector<Way>> ways_;
};

// "A -> B -> A"
std::string shown(const Machine& machine, const State& start,
                  const std::vector<const Transition*>& round) {
  std::string way = start.name;
  for (const Transition* transition : round) {
    way += fmt::format(" -> {}", machine.state(transition->targets.front()).name);
  }
  return way;
}

// A round of calls in which each question is answered by its default, where nobody can be asked.
void check_unattended(const LintContext& context, const Machine& machine, const Reporter& report) {
  const auto asks_somebody = [&](const Transition* transition) {
    return std::holds_alternative<model::Ask>(machine.state(transition->source).activity);
  };
  const Rounds rounds(context, machine, false);
  for (const State& state : machine.states) {
    if (!std::holds_alternative<model::AgentCall>(state.activity)) continue;
    const auto round = rounds.from(state.id);
    const auto asking = std::ranges::find_if(round, asks_somebody);
    if (asking == round.end()) continue;
    report((*asking)->span,
           "where nobody can be asked, {} goes on by the default: no guard counts, and there are "
           "no `limits`",
           shown(machine, state, round))
        .help(
            "let the default be an option that ends it, or bound what a run may come to, as in "
            "limits: {calls: 30}");
    return;
  }
}

// The state that is named first in "A -> B -> A", or in "A+C -> …".
const State& first_of(const Machine& machine, const std::string& round) {
  const StateId state = machine.find(round.substr(0, round.find_first_of(" +")));
  return machine.state(state == none ? 0 : state);
}

}  // namespace

extern const LintRule no_budget = {
    {"W424", "no-budget", "a round of agents' calls that nothing bounds",
     R"(Agents that hand work back and forth agree sooner or later, or never, and each call costs. Here no
guard that counts bounds the rounds, no timer and no person ends them, and neither the run nor the machine
has `limits`. A guard that looks at what cannot be worked out is taken to bound them. A person bounds them
only where one can be asked: elsewhere a question takes its default, which may lead back.)"},
    // Limits of the run bound what is spent, whatever goes round.
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      if (context.system.main().limits.any() || machine.limits.any()) return;
      constexpr const char* message =
          "{} goes on for as long as the agents want: no guard counts, nobody is asked, and there "
          "are no `limits`";
      constexpr const char* advice =
          "bound what a run may come to, as in limits: {calls: 30}; or count the rounds in the "
          "context";
      const Exploration& found = context.exploration(machine, Numbers::small);
      std::string explored;
      if (found.complete()) {
        WorstCases worst;
        explored = worst.of(found, machine, context.system).unbounded_calls;
        if (explored.empty()) return check_unattended(context, machine, report);
      }
      const Rounds rounds(context, machine, true);
      for (const State& state : machine.states) {
        if (!std::holds_alternative<model::AgentCall>(state.activity)) continue;
        const auto round = rounds.from(state.id);
        if (round.empty()) continue;
        report(round.back()->span, message, shown(machine, state, round)).help(advice);
        return;
      }
      if (explored.empty()) return check_unattended(context, machine, report);
      report(first_of(machine, explored).span, message, explored).help(advice);
    }};

}  // namespace agneto::lint
