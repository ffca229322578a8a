// What rules ask of a machine's states and transitions, whatever its guards say.
#pragma once

#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "lint/context.h"

namespace agneto::lint {

// The state and those around it, innermost first.
std::vector<const State*> lineage(const Machine& machine, StateId state);
// Is the state the other one, or inside of it?
bool is_inside(const Machine& machine, StateId state, StateId other);
// Is there a parallel state around it, in whose other regions anything may happen meanwhile?
bool is_in_parallel(const Machine& machine, StateId state);
// The atomic state that is entered with this one; none where there may be several, or where it ends
// elsewhere.
StateId entered(const Machine& machine, StateId state);

// Those of the state itself: on events, without one, and on timers.
std::vector<const Transition*> transitions_of(const Machine& machine, const State& state);
// Do both lead to the same states, and do nothing else?
bool have_same_effect(const Transition& one, const Transition& other);

// From which on of a list the `index`-th is compared with those before it: with two hundred of
// them at most, so that a list of any length is done in time.
constexpr std::size_t first_compared(std::size_t index) {
  constexpr std::size_t most = 200;
  return index < most ? 0 : index - most;
}

bool takes(const Transition& transition, std::string_view event);
// The transition that is asked first whether it takes the event while the state is active; null:
// there is none.
const Transition* first_taker(const Machine& machine, const State& state, std::string_view event);
// Does it take an event that the engine does not make?
bool waits_for_event(const Machine& machine, const State& state);
// May a timer or an eventless transition lead out of the state in time?
bool is_left_in_time(const Machine& machine, StateId state);

// The final states that end the machine and that are reachable.
std::vector<const State*> ends(const Machine& machine);

// By StateId. Takes every guard to be true and every event to come, so that what it calls
// unreachable is. History states count where they may be a target.
std::vector<bool> reachable(const Machine& machine);

// By StateId: can the machine end once the state was active? Every guard is taken to be true and
// every event but `abort` to come, so that a no is certain.
std::vector<bool> can_end(const Machine& machine);

// Atomic states that are left without an event, whatever happens, for others of the kind; and for
// which.
std::map<StateId, std::vector<StateId>> restless(const Machine& machine);

// Can the transition, whose source is `inner` or a state around it, be taken while the machine is
// in `inner`? Not where it waits for the end of a state that does not end there
// (`done.state.SOURCE`), and not where a state between takes the event before it, whatever guards
// say.
bool can_follow(const Machine& machine, StateId inner, const Transition& transition);

using OfState = std::function<bool(const State&)>;

// The first state that `fits` among the atomic ones that can follow what the state comes to, other
// than an error, before one at which the search `stops`; null where there is none. Guards are taken
// to be true. `limited`: whether limits are reached on the way.
const State* next_state(const Machine& machine, const State& from, const OfState& fits,
                        const OfState& stops, bool limited = true);

// The same for many states of a machine, in the time of one search.
class NextStates {
 public:
  // The machine must outlive it.
  NextStates(const Machine& machine, const OfState& fits, const OfState& stops);
  const State* from(const State& state) const;

 private:
  static constexpr std::uint32_t unreached = UINT32_MAX;

  const Machine& machine_;
  std::vector<StateId> next_;            // by StateId: the nearest that fits, itself included
  std::vector<std::uint32_t> distance_;  // to that
};

}  // namespace agneto::lint
