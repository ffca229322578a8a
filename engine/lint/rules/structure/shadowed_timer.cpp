#include <algorithm>
#include <optional>

#include "base/text.h"
#include "lint/rule.h"
#include "lint/sends.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using model::Program;

bool always_leaves(const Transition& transition) {
  return transition.guard == none && !transition.targets.empty() && !transition.internal;
}

// A timer of the state, or of one around it, that always comes first and leaves the state.
const Transition* earlier_timer(const Machine& machine, const State& state,
                                const Transition& later) {
  for (const State* around : lineage(machine, state.id)) {
    for (const TransitionId id : around->after) {
      const Transition& earlier = machine.transitions[id];
      if (earlier.delay_code == none && always_leaves(earlier) && earlier.delay < later.delay &&
          earlier.wall == later.wall) {
        return &earlier;
      }
    }
  }
  return nullptr;
}

// An event that the state sends itself, which always comes first and leaves the state, though it be
// to enter it again.
std::optional<DelayedSend> earlier_send(const LintContext& context, const Machine& machine,
                                        const State& state, const Transition& later) {
  if (state.kind != StateKind::atomic) return std::nullopt;
  for (const DelayedSend& one : delayed_sends(context, machine, state)) {
    const Transition* taken = first_taker(machine, state, one.event);
    if (one.after < later.delay && taken && always_leaves(*taken) &&
        !may_be_cancelled(context, machine, one)) {
      return one;
    }
  }
  return std::nullopt;
}

// Is the state left whatever its program comes to?
bool is_left_with(const Program& program, const LintContext& context, const Machine& machine,
                  const State& state) {
  std::vector<std::string> ends = {"error.timeout", "error.spawn"};
  for (const model::Outcome& outcome : outcomes(state, context.system)) {
    ends.push_back(outcome.name);
  }
  return !program.once && std::ranges::all_of(ends, [&](const std::string& end) {
    return std::ranges::any_of(model::takers(machine, state.id, end), [&](TransitionId id) {
      return always_leaves(machine.transitions[id]);
    });
  });
}

void check_timers(const LintContext& context, const Machine& machine, const State& state,
                  const Reporter& report) {
  for (const TransitionId id : state.after) {
    const Transition& later = machine.transitions[id];
    if (later.delay_code != none) continue;
    if (const Transition* earlier = earlier_timer(machine, state, later)) {
      report(later.span, "'{}' is always left after {} already, so that this never happens",
             state.name, format_duration(earlier->delay))
          .help("give the earlier one a guard, or remove this one")
          .related(earlier->span, "it is left here");
      continue;
    }
    if (const auto earlier = earlier_send(context, machine, state, later)) {
      report(later.span,
             "'{}' is left for '{}' after {} already, and where it is entered again this begins "
             "anew",
             state.name, earlier->event, format_duration(earlier->after))
          .help("take the event without a target, or put this timer on a state around it")
          .related(place(*earlier->sent->piece, *earlier->sent->call), "it is sent here");
      continue;
    }
    const auto* program = std::get_if<model::Program>(&state.activity);
    if (!program || program->timeout.count() == 0 || program->timeout > later.delay ||
        !is_left_with(*program, context, machine, state)) {
      continue;
    }
    report(later.span, "the program of '{}' is ended after {} already, so that this never happens",
           state.name, format_duration(program->timeout))
        .help("give the program a longer `timeout`, or take `error.timeout` in place of this");
  }
}

}  // namespace

extern const LintRule shadowed_timer = {
    {"W221", "shadowed-timer",
     "a timer or a limit behind something shorter that always comes first",
     R"(The timers of a state begin when it is entered and end when it is left. Where a shorter one, of the
state itself or of a state around it, has no guard, the longer never comes due. Nor does one that is
longer than a program of the state may take, or than what the state sends itself and is left for, nor an
agent's `idle` that is longer than its `timeout`.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const State& state : machine.states) check_timers(context, machine, state, report);
      for (const model::Agent& agent : machine.agents) {
        if (agent.idle <= agent.timeout || agent.idle == model::Agent().idle) continue;
        report(agent.span, "each call of '{}' is ended after {}, so that `idle: {}` does nothing",
               agent.name, format_duration(agent.timeout), format_duration(agent.idle))
            .help("give it a longer `timeout`, or a shorter `idle`");
      }
    }};

}  // namespace agneto::lint
