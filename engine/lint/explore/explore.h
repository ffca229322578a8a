// Every configuration that a machine can get into, with the same `step` as a run's.
//
// Agents, people, programs, machines and timers branch over what they can end in; so do events from
// outside, `run`, and inputs that are booleans or choices. A machine that is delegated to is
// explored by itself (explorations.h) and stands for what it can end in. Guards branch where what
// they look at is not known (abstract_values.h). So there is more in what is explored than a run
// can do, and what is not in it no run can do.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "chart/evaluator.h"
#include "chart/event.h"
#include "lint/context.h"
#include "lint/explore/abstract_lua.h"

namespace agneto::lint {

// What a machine can end in, given what it is given.
struct MachineEnd {
  std::string outcome;
  Json outputs;          // those that are known; null where none is
  bool at_once = false;  // with nothing to wait for
  bool certain = false;  // with nothing guessed
  // Can it come to that, wherever it is, by what surely can happen; and with no timer?
  bool sure = false;
  bool in_no_time = false;
};

// How a machine is started.
struct Beginning {
  chart::RunInfo run;
  Json inputs = Json::object();  // those that are known
};

// Must it happen some time, where it could again and again?
enum class Due : std::uint8_t {
  never,   // an error, a failure, an event from outside: it may happen, and need not
  each,    // an activity's outcome, or the next event of the machine's own queue: yes
  one,     // an end of a machine that always ends: it or another one of these
  maybe,   // an end of a machine of which that is not known
  timers,  // one of the timers, where nothing else is waited for
  // An error of a question in which no expression can fail. It does not happen; what a workflow
  // would do is looked at all the same.
  impossible,
};

// Something that can happen to a machine at rest: what an automaton calls its input. (The machine's
// own `inputs` are in Beginning.)
struct Input {
  chart::Event event;
  StateId state = none;                     // whose activity ends, or timer comes due
  const MachineEnd* machine_end = nullptr;  // of the machine that the state delegates to
  bool usual = true;                        // else from outside, and the machine makes it itself
  Due due = Due::never;
  bool waited_for = true;  // else from outside, with a name that no transition has
  bool sure = true;        // else perhaps it cannot happen
  bool or_other = false;   // of an end: it, or another one of the same activity, surely can come
  // Does it come without anybody's doing, and without time?
  bool by_itself() const {
    return event.kind == chart::Event::Kind::queued || (machine_end && machine_end->at_once);
  }
};

// From one configuration to another.
struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t input = 0;
  std::uint16_t calls = 0;     // of agents, that it makes
  std::uint16_t machines = 0;  // that it starts: which of Exploration::started
  std::uint16_t timed = 0;     // states with timers that it enters: which of Exploration::timed
  bool guessed = false;        // did it depend on what is not known?
  bool restless = false;       // does the machine fail, as it does not come to rest?
};

// A configuration with its data, at rest.
struct Configuration {
  enum class End : std::uint8_t { none, final, failure };  // failure: the engine ended it
  std::vector<StateId> states;  // the active atomic ones; at the end, those of before
  std::int64_t found_by = -1;   // the edge; at a beginning: -1 - its number
  std::uint32_t first_edge = 0;
  std::uint32_t edges = 0;  // those out of it stand together
  End end = End::none;
  bool complete = false;    // did it end with the status `complete`?
  bool interactive = true;  // is there a person?
  // At an end: which of Exploration::machine_ends it is; several_ends where that is not said.
  static constexpr std::uint32_t several_ends = UINT32_MAX;
  std::uint32_t machine_end = several_ends;
  std::uint32_t distance = 0;  // the fewest events that lead there
  std::uint16_t calls = 0;     // where it is a beginning: as of the edges that lead to others
  std::uint16_t machines = 0;
  bool at_once = false;   // does the machine get there with nothing to wait for?
  bool certain = true;    // was nothing guessed on the way to it?
  bool usual = true;      // came nothing from outside that the machine makes itself?
  bool stuck = false;     // nothing is outstanding, and no event is waited for
  bool restless = false;  // where it is a beginning: as of edges
};

// An event that an action raised and nothing took.
struct Lost {
  std::string event;
  const Node* call = nullptr;
  std::uint32_t at = 0;    // the configuration in which the step ended
  std::int64_t edge = -1;  // that led to it; none at a beginning
};

// A state whose activity was cut off as the machine came to its end by what another one ended in.
struct Cancelled {
  StateId state = none;
  std::uint32_t edge = 0;
};

// A question that cannot be put as it is meant to: none of its options can be chosen, so that it is
// an error, or its default cannot.
struct Unoffered {
  StateId state = none;
  bool all = false;      // none can be chosen
  std::uint32_t at = 0;  // the configuration in which it is asked
};

// A machine that another one starts.
struct Started {
  model::MachineId machine = none;
  // Null where nothing is known of it, or there is one for each item of a list.
  const Exploration* exploration = nullptr;
  friend bool operator==(const Started&, const Started&) = default;
};

enum class Truth : std::uint8_t { no, yes, unknown };

// One of several conditions that an invariant says are never true together.
struct Part {
  const Node* node = nullptr;
  bool can_be_true = false;  // in some configuration
};

struct Exploration {
  enum class Extent : std::uint8_t {
    complete,     // what is not here cannot be
    over_budget,  // there are more configurations than were to be looked at
    too_large,    // the machine has too many states
    lost,         // an action does what cannot be followed
  };
  Extent extent = Extent::over_budget;
  bool complete() const { return extent == Extent::complete; }

  std::vector<Beginning> beginnings;
  std::deque<Input> alphabet;
  std::vector<Configuration> configurations;  // those that fewer events lead to first
  std::vector<Edge> edges;
  std::vector<MachineEnd> machine_ends;
  std::vector<Lost> lost;            // the first of each `raise`
  std::vector<Cancelled> cancelled;  // the first of each state
  std::vector<Unoffered> unoffered;  // the same; what is not known of an option may be true
  // Machines that are started together. The first of these lists is empty.
  std::vector<std::vector<Started>> started;
  // States with timers that are entered together. The first of these lists is empty.
  std::vector<std::vector<StateId>> timed;
  Comparisons comparisons;
  // By invariant, then configuration.
  std::vector<std::vector<Truth>> invariants;
  std::vector<std::vector<Truth>> afters;  // empty lists but for `leads_to`
  // By invariant: those that do not hang on bounds, inputs or the run; none where it is one
  // condition.
  std::vector<std::vector<Part>> parts;
  std::size_t names = 0;      // of the context, that were followed
  std::vector<bool> entered;  // by StateId
  std::vector<bool> taken;    // by TransitionId
  // By StateId: does the machine that it delegates to end in what is known of it, whenever it runs?
  std::vector<bool> summarised;
  // Does the machine end, whatever it is given and comes to, as far as fairness.h makes it?
  bool ends = false;
  // Can it come to some end, wherever it is, by what surely can happen?
  bool can_end = false;

  // The edges out of a configuration.
  std::span<const Edge> edges_from(const Configuration& one) const {
    return {edges.data() + one.first_edge, one.edges};
  }
  // The edges that lead to a configuration, from the beginning.
  std::vector<std::uint32_t> way_to(std::uint32_t configuration) const;
};

// Why what was explored is not all, as a clause: "there are more".
std::string_view reason(Exploration::Extent extent);

// The machine as one that is run; those that it delegates to stay where they are.
model::System alone(const model::System& system, const Machine& machine);

// `beginnings`: which all know the same inputs. `others`: the machines that it delegates to.
// `budget`: how many configurations may still be looked at. `only`: the names of the context that
// may be followed; null: any. `faults`: can Lua in guards, delays and actions fail, too?
Exploration explore(const LintContext& context, const Machine& machine,
                    std::vector<Beginning> beginnings, Explorations& others, std::size_t& budget,
                    const std::set<std::string>* only, bool faults);

}  // namespace agneto::lint
