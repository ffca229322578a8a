#include <algorithm>

#include "lint/merges.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// A merge that conflicts and is made again has the same to merge as before.
void check_conflict(const Machine& machine, const State& state, const Reporter& report) {
  if (!is_merge(state)) return;
  for (const TransitionId id : state.on) {
    const Transition& transition = machine.transitions[id];
    if (transition.events != std::vector<std::string>{"conflict"} ||
        transition.targets != std::vector<StateId>{state.id}) {
      continue;
    }
    report(transition.span, "'{}' is tried again with nothing changed, and conflicts again",
           state.name)
        .help("let an agent or a person resolve it first, and commit");
  }
}

bool leads_to(const Machine& machine, const Transition& transition, StateId state) {
  return transition.guard == none && transition.targets.size() == 1 &&
         entered(machine, transition.targets.front()) == state;
}

// May somebody send an event that the state takes?
bool is_told(const LintContext& context, const Machine& machine, const State& state) {
  return std::ranges::any_of(state.on, [&](TransitionId id) {
    return std::ranges::any_of(machine.transitions[id].events, [&](const std::string& event) {
      return !model::is_engines(event) && !model::is_outcome(event, context.system);
    });
  });
}

// Does nothing happen in the pause, and does nothing but time lead out of it, to the state?
bool only_waits(const LintContext& context, const Machine& machine, const State& pause,
                StateId state) {
  if (pause.kind != StateKind::atomic || pause.has_activity() || pause.after.empty()) return false;
  for (const State* around : lineage(machine, pause.id)) {
    const bool is_left = around->id != pause.id && !around->after.empty();
    if (is_left || !around->always.empty() || is_told(context, machine, *around)) return false;
  }
  return std::ranges::all_of(pause.after, [&](TransitionId id) {
    return leads_to(machine, machine.transitions[id], state);
  });
}

// Does the transition lead to the state again, at once or after a pause, whatever else happens?
bool tries_again(const LintContext& context, const Machine& machine, const State& state,
                 const Transition& transition) {
  if (transition.guard != none || transition.targets.size() != 1) return false;
  if (transition.targets.front() == state.id) return true;
  const StateId to = entered(machine, transition.targets.front());
  return to != none && only_waits(context, machine, machine.state(to), state.id);
}

}  // namespace

extern const LintRule unbounded_retry = {
    {"W418", "unbounded-retry", "a state that is tried again for ever where it fails",
     R"(What failed may go on to fail, and every try of an agent costs. Count in the context and give up after
some tries, bound the time with an `after` of a state around the tries, or the whole run with `limits`. A
pause between them bounds nothing. A merge that conflicts does so again unless something is changed.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      check_conflict(machine, state, report);
      if (context.system.main().limits.any() || machine.limits.any()) return;
      if (!state.has_activity() || is_left_in_time(machine, state.id)) return;
      if (std::holds_alternative<model::Ask>(state.activity)) return;
      for (const TransitionId id : state.on) {
        const Transition& transition = machine.transitions[id];
        const bool again = tries_again(context, machine, state, transition);
        const auto fails = [&](const std::string& event) {
          if (event != "failed" && event != "any" && !model::matches("error", event)) return false;
          // Nothing with a guard before it, which may count.
          return takers(machine, state.id, event == "any" ? "error" : event).front() == id;
        };
        if (!again || std::ranges::none_of(transition.events, fails)) continue;
        report(transition.span, "'{}' is tried again for ever where it goes on to fail", state.name)
            .help(
                "count the tries in the context, and put an alternative before it: {guard: "
                "ctx.tries >= 3, target: STATE}");
        return;
      }
    }};

}  // namespace agneto::lint
