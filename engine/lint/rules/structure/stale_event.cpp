#include <algorithm>
#include <map>
#include <string>
#include <vector>

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

std::string how_to_take_back(const DelayedSend& sent) {
  if (!sent.has_id) return "give it an id, and take it back: exit: cancel(\"ID\")";
  return sent.id.empty() ? "take it back by its id: exit: cancel(ID)"
                         : fmt::format("take it back: exit: cancel(\"{}\")", sent.id);
}

// The states that send each event for themselves, and are left for it.
using Senders = std::map<std::string, std::vector<StateId>, std::less<>>;

Senders senders_of(const LintContext& context, const Machine& machine) {
  Senders senders;
  for (const State& state : machine.states) {
    for (const DelayedSend& one : delayed_sends(context, machine, state)) {
      if (is_left_by(machine, state, one.event)) senders[one.event].push_back(state.id);
    }
  }
  return senders;
}

bool takes_time(const State& state) {
  return state.has_activity() || state.always.empty();
}

// The first of the senders that is ended by what the state has sent, where that has not come
// before. (Where a state takes it that sends none, it is meant for that.)
const State* hit_by(const Machine& machine, const State& state, const std::string& event,
                    const std::vector<StateId>& senders) {
  const auto sends = [&](const State& other) {
    return std::ranges::find(senders, other.id) != senders.end();
  };
  const auto is_hit = [&](const State& other) {
    return sends(other) && (other.id == state.id || (!is_inside(machine, other.id, state.id) &&
                                                     !is_inside(machine, state.id, other.id)));
  };
  const auto is_meant = [&](const State& other) {
    return !sends(other) &&
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
      // Of one sender the way back is looked at as far as it takes no time: to come back later may
      // well be too late for what it has sent.
      const auto waits = [&](const State& other) { return !is_hit(other) && takes_time(other); };
      const bool is_alone = senders.size() < 2;
      if (is_alone && waits(machine.state(to))) continue;
      const auto stops = [&](const State& other) {
        return is_meant(other) || (is_alone && waits(other));
      };
      if (const State* hit = next_state(machine, machine.state(to), is_hit, stops)) return hit;
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
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      constexpr std::size_t most_looked_at = 200;
      std::size_t looked_at = 0;
      const Senders senders = senders_of(context, machine);
      for (const auto& [event, states] : senders) {
        for (const StateId id : states) {
          const State& state = machine.state(id);
          for (const DelayedSend& one : delayed_sends(context, machine, state)) {
            if (one.event != event || may_be_cancelled(context, machine, one)) continue;
            if (++looked_at > most_looked_at) return;
            const State* hit = hit_by(machine, state, event, states);
            if (!hit) continue;
            report(place(*one.sent->piece, *one.sent->call),
                   "'{}' may still be on its way when '{}' is entered{}, and ends that too early",
                   event, hit->name, hit->id == state.id ? " again" : "")
                .help(how_to_take_back(one));
          }
        }
      }
    }};

}  // namespace agneto::lint
