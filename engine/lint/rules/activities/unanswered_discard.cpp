#include <map>
#include <optional>
#include <utility>

#include "lint/merges.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

using Operation = model::WorkspaceOperation::Kind;

// Does the transition lead at once to where what is not committed is thrown away?
bool discards(const Machine& machine, const Transition& transition) {
  if (transition.targets.size() != 1) return false;
  const StateId to = entered(machine, transition.targets.front());
  return to != none && is_operation(machine.state(to), Operation::discard);
}

// The questions that are asked while an agent's changes are not committed; and which agent's.
std::map<StateId, const State*> unsaved(const Machine& machine) {
  std::map<StateId, const State*> questions;
  const auto is_saved = [](const State& other) {
    return is_operation(other, Operation::commit) || is_operation(other, Operation::discard);
  };
  for (const State& agent : machine.states) {
    if (!may_edit(agent)) continue;
    const auto note = [&](const State& other) {
      if (std::holds_alternative<model::Ask>(other.activity)) {
        questions.try_emplace(other.id, &agent);
      }
      return false;  // so that all are met
    };
    next_state(machine, agent, note, is_saved);
  }
  return questions;
}

// Finds the transition that throws work away though nobody has answered the question, and says when
// it is taken; null where there is none.
std::pair<const Transition*, const char*> taken_by_nobody(const Machine& machine,
                                                          const State& state) {
  const auto* ask = std::get_if<model::Ask>(&state.activity);
  if (!ask) return {};
  if (!ask->default_option.empty()) {
    const Transition* usual = first_taker(machine, state, ask->default_option);
    if (usual && discards(machine, *usual)) return {usual, "where nobody can be asked"};
  }
  for (const TransitionId id : state.after) {
    if (discards(machine, machine.transitions[id])) {
      return {&machine.transitions[id], "where nobody answers in time"};
    }
  }
  return {};
}

}  // namespace

extern const LintRule unanswered_discard = {
    {"W442", "unanswered-discard", "work that is thrown away because nobody answered",
     R"(A question's default is taken where nobody can be asked, and its timer where nobody is quick enough: nobody
has judged the work then. Discarded, it is in no branch any more, and in no worktree, but only in a checkpoint
that somebody must know of. Commit before the question, as a branch that is not merged harms nobody, or
end the run, whose worktree stays.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      std::optional<std::map<StateId, const State*>> agents;
      for (const State& state : machine.states) {
        const auto [transition, when] = taken_by_nobody(machine, state);
        if (!transition) continue;
        if (!agents) agents = unsaved(machine);
        const auto agent = agents->find(state.id);
        if (agent == agents->end()) continue;
        report(transition->span, "{}, what the agent of '{}' did is thrown away", when,
               agent->second->name)
            .help(
                "commit it before the question, or lead to an end that keeps it for somebody to "
                "look at")
            .related(agent->second->span, "the agent that may edit");
      }
    }};

}  // namespace agneto::lint
