#include <algorithm>

#include "base/text.h"
#include "lint/explore/explore.h"
#include "lint/explore/player.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

Span place_of(const LintContext& context, const Machine& machine, const Node* call) {
  for (const Raised& one : context.raised(machine).all()) {
    if (one.call == call) return place(*one.piece, *one.call);
  }
  return {};
}

bool is_certain(const Exploration& found, const Lost& lost) {
  if (lost.edge < 0) return found.configurations[lost.at].certain;
  const Edge& edge = found.edges[static_cast<std::size_t>(lost.edge)];
  return found.configurations[edge.from].certain && !edge.guessed;
}

// Does a state wait for the event, with nothing at work and nothing else to leave it but a timer?
// Where it has something else to do, the event is one to react to, and only if it comes then.
bool is_awaited(const Machine& machine, const std::string& event) {
  return std::ranges::any_of(machine.states, [&](const State& state) {
    const auto takes_it = [&](TransitionId id) { return takes(machine.transitions[id], event); };
    return !state.has_activity() && !state.on.empty() && std::ranges::all_of(state.on, takes_it);
  });
}

// May one of the states take it, where the guard says so?
bool may_be_taken(const Machine& machine, const std::vector<StateId>& states,
                  const std::string& event) {
  return std::ranges::any_of(states, [&](StateId id) {
    return std::ranges::any_of(takers(machine, id, event), [&](TransitionId taker) {
      return machine.transitions[taker].guard != none;
    });
  });
}

}  // namespace

extern const LintRule lost_event = {
    {"W231", "lost-event", "an event that a state waits for, raised where nothing takes it",
     R"(`raise` queues an event for the states that are active in the same step. A state waits for it, but is
not active after the events shown: there it is lost without a word. Regions do not wait for each other;
a flag in the context does not get lost.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const Exploration& found = context.exploration(machine, Numbers::small);
      for (const Lost& lost : found.lost) {
        if (!is_awaited(machine, lost.event)) continue;
        Played played = lost.edge < 0 ? play_to(context, machine, found, lost.at)
                                      : play_along(context, machine, found,
                                                   static_cast<std::uint32_t>(lost.edge));
        std::vector<std::string> names;
        for (const StateId state : found.configurations[lost.at].states) {
          names.push_back("'" + machine.state(state).name + "'");
        }
        const bool certain = played.confirmed && is_certain(found, lost);
        if (!certain && may_be_taken(machine, found.configurations[lost.at].states, lost.event)) {
          continue;
        }
        report(place_of(context, machine, lost.call),
               "'{}' {} lost: nothing takes it with {} active", lost.event,
               certain ? "is" : "is possibly", join(names, " and "))
            .help("take it there or in a state around, or raise it where it is waited for")
            .trace(std::move(played.trace));
      }
    },
    true};

}  // namespace agneto::lint
