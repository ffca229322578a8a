#include <algorithm>

#include "lint/merges.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using Kind = model::WorkspaceOperation::Kind;

// Does the transition lead at once to where what is not committed is thrown away?
bool discards(const Machine& machine, const Transition& transition) {
  if (transition.targets.size() != 1) return false;
  const StateId to = entered(machine, transition.targets.front());
  return to != none && is_operation(machine.state(to), Kind::discard);
}

// An agent whose changes are not committed when the question is asked; null where there is none.
const State* unsaved(const Machine& machine, const State& question) {
  const auto is_it = [&](const State& other) { return other.id == question.id; };
  const auto is_saved = [](const State& other) {
    return is_operation(other, Kind::commit) || is_operation(other, Kind::discard);
  };
  const auto found = std::ranges::find_if(machine.states, [&](const State& state) {
    return may_edit(state) && next_state(machine, state, is_it, is_saved);
  });
  return found == machine.states.end() ? nullptr : &*found;
}

void tell(const Machine& machine, const State& question, const Transition& transition,
          const char* when, const Reporter& report) {
  const State* agent = unsaved(machine, question);
  if (!agent) return;
  report(transition.span, "{}, what the agent of '{}' did is thrown away", when, agent->name)
      .help(
          "commit it before the question, or lead to an end that keeps it for somebody to look at")
      .related(agent->span, "the agent that may edit");
}

}  // namespace

extern const LintRule unanswered_discard = {
    {"W442", "unanswered-discard", "work that is thrown away because nobody answered",
     R"(A question's default is taken where nobody can be asked, and its timer where nobody is quick enough: nobody
has judged the work then. Discarded, it is in no branch any more, and in no worktree, but only in a checkpoint
that somebody must know of. Commit before the question, as a branch that is not merged harms nobody, or
end the run, whose worktree stays.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      const auto* ask = std::get_if<model::Ask>(&state.activity);
      if (!ask) return;
      if (!ask->default_option.empty()) {
        const auto taking = model::takers(machine, state.id, ask->default_option);
        if (!taking.empty() && discards(machine, machine.transitions[taking.front()])) {
          tell(machine, state, machine.transitions[taking.front()], "where nobody can be asked",
               report);
        }
      }
      for (const TransitionId id : state.after) {
        const Transition& timer = machine.transitions[id];
        if (!discards(machine, timer)) continue;
        tell(machine, state, timer, "where nobody answers in time", report);
        return;
      }
    }};

}  // namespace agneto::lint
