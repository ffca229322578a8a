#include <algorithm>

#include "lint/rule.h"
#include "lint/sends.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Does the state itself take the event, and is it left then?
bool is_left_by(const Machine& machine, const State& state, const std::string& event) {
  return std::ranges::any_of(state.on, [&](TransitionId id) {
    const Transition& transition = machine.transitions[id];
    return !transition.targets.empty() && std::ranges::count(transition.events, event) > 0;
  });
}

bool sends(const LintContext& context, const Machine& machine, const State& state,
           const std::string& event) {
  return std::ranges::any_of(delayed_sends(context, machine, state),
                             [&](const DelayedSend& one) { return one.event == event; });
}

// The first state that is ended by what the state has sent, where that has not come before. (Where
// a state takes it that sends none, it is meant for that.)
const State* hit_by(const LintContext& context, const Machine& machine, const State& state,
                    const std::string& event) {
  const auto is_hit = [&](const State& other) {
    const bool apart = other.id == state.id || (!is_inside(machine, other.id, state.id) &&
                                                !is_inside(machine, state.id, other.id));
    return apart && is_left_by(machine, other, event) && sends(context, machine, other, event);
  };
  const auto is_meant = [&](const State& other) {
    return !sends(context, machine, other, event) &&
           std::ranges::any_of(lineage(machine, other.id), [&](const State* around) {
             return std::ranges::any_of(transitions_of(machine, *around),
                                        [&](const Transition* one) { return takes(*one, event); });
           });
  };
  for (const State* around : lineage(machine, state.id)) {
    for (const Transition* transition : transitions_of(machine, *around)) {
      if (takes(*transition, event) || transition->targets.size() != 1) continue;
      const StateId to = entered(machine, transition->targets.front());
      if (to == none || is_meant(machine.state(to))) continue;
      if (is_hit(machine.state(to))) return &machine.state(to);
      if (const State* hit = next_state(machine, machine.state(to), is_hit, is_meant)) return hit;
    }
  }
  return nullptr;
}

}  // namespace

extern const LintRule stale_event = {
    {"W242", "stale-event", "a delayed event that ends the next state which sends one of that name",
     R"(What `send` is given to deliver later comes, though the state that sent it was left long ago. Where
another state, or the same one entered again, sends an event of that name for itself and waits for it,
it cannot tell the two apart, and is ended by the earlier one. `cancel` it in `exit`.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      for (const DelayedSend& one : delayed_sends(context, machine, state)) {
        if (!is_left_by(machine, state, one.event)) continue;
        if (may_be_cancelled(context, machine, one.id)) continue;
        const State* hit = hit_by(context, machine, state, one.event);
        if (!hit) continue;
        report(place(*one.sent->piece, *one.sent->call),
               "'{}' may still be on its way when '{}' is entered{}, and ends that too early",
               one.event, hit->name, hit->id == state.id ? " again" : "")
            .help("give it an id, and take it back: exit: cancel(\"ID\")");
      }
    }};

}  // namespace agneto::lint
