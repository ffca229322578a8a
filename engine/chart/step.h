// The interpreter: one event in, the instance changed in place, effects out.
//
// Pure: no I/O, no clock, no threads; the same instance and event give the same result everywhere.
// Semantics are those of W3C SCXML, appendix D, with the additions of docs/language.md (addressed
// outcomes, depth-first offering, nothing idles for ever).
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "chart/effect.h"
#include "chart/evaluator.h"
#include "chart/event.h"
#include "model/machine.h"

namespace agneto::chart {

// A system made ready to be run: what can be worked out about it once. Immutable; shared by all its
// instances, which must not outlive it.
class Chart {
 public:
  struct Options {
    // A state that delegates does not start the machine: that is an effect, whose outcome comes as
    // an event, like any other activity's.
    bool shallow = false;
  };

  // Both must outlive it.
  Chart(const model::System& system, Evaluator& evaluator, Options options);
  Chart(const model::System& system, Evaluator& evaluator) : Chart(system, evaluator, Options{}) {}
  ~Chart();
  Chart(Chart&&) noexcept;
  Chart& operator=(Chart&&) noexcept;

  const model::System& system() const;

  class Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<const Impl> impl_;
};

// What one step did and asks for. Can be used for step after step; each starts by clearing it.
struct Effects {
  struct Taken {
    std::string instance;  // path of the machine instance; empty for the root
    model::MachineId machine;
    model::TransitionId transition;
    std::string event;  // what it was taken for, "after" for a timer; empty for an eventless one
    std::string origin = {};  // of that event, as Event has them
    std::uint32_t item = 0;
  };
  struct Moved {
    std::string instance;  // path of the machine instance; empty for the root
    model::MachineId machine;
    model::StateId state;
    std::uint32_t entry;  // which entry of the state it is, from 1
    bool entered;         // else exited
  };
  struct Problem {
    std::string path;     // the state or instance it happened in
    std::string event;    // "error.lua", "error.livelock", "error.unhandled"
    std::string message;  // with file and line where there is one
  };

  bool handled = false;  // did anything take the event?
  std::string event;     // the event's name, also for queued ones; empty at the start
  std::string origin;    // of the event, as Event has them; also of a notice that nobody got it
  std::uint32_t item = 0;
  std::vector<Effect> effects;
  std::vector<Taken> transitions;
  std::vector<Moved> moved;
  std::vector<Problem> problems;
  // Errors of the machines' code that a transition of this step was taken for.
  std::vector<Problem> caught;
  // Activities, and items of a for_each, that could not begin, and the error that each has ended
  // in. What takes that comes in a later step; where nothing does, it is a problem of that one,
  // too. Of items in a row that end in the same error, the first.
  std::vector<Problem> refused;

  void clear() {
    handled = false;
    event.clear();
    origin.clear();
    item = 0;
    effects.clear();
    transitions.clear();
    moved.clear();
    problems.clear();
    caught.clear();
    refused.clear();
  }
};

// "TASK_EXECUTING#1/CODE_REVIEW#3"
std::string path_of(const Effects::Moved& moved, const model::System& system);

// A state of a configuration.
struct ActiveState {
  std::string path;      // "TASK_EXECUTING#1/CODE_REVIEW#3"
  std::string instance;  // path of the machine instance; empty for the root
  model::MachineId machine;
  model::StateId state;
  bool atomic;  // no compound, no parallel
};

// A run's whole machine state: a tree of machine instances, each with its configuration, data,
// history, entry counts, queues, pending sends and timers. Serialises whole.
class Instance {
 public:
  // `chart` must outlive it.
  Instance(const Chart& chart, RunInfo run);
  ~Instance();
  Instance(Instance&&) noexcept;
  Instance& operator=(Instance&&) noexcept;

  Json save() const;
  // Throws Error where the saved instance does not fit the system (a state is gone).
  static Instance restore(const Chart& chart, const Json& saved);
  // It is again what was saved of it.
  void put_back(const Json& saved);
  // From now on a stop ends the code of its chart's instances, and their step throws Stopped.
  void heed(std::stop_token stop);

  bool finished() const;
  // Are there events in external queues, to be taken by steps with Event::Kind::queued?
  bool pending() const;
  // All active states over the whole tree, in document order, those of a machine behind the state
  // that delegates to it. Once finished: those of before the final exits (`save` drops them).
  std::vector<ActiveState> configuration() const;
  // Paths of the atomic ones; none once finished.
  std::vector<std::string> active() const;
  // Every effect ordered and neither ended nor cancelled, timers included.
  std::vector<std::string> outstanding() const;
  // {"inputs", "ctx"} of the machine instance with that path; null if there is none.
  Json data(std::string_view instance) const;
  const RunInfo& run() const;

  class Impl;
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  static std::unique_ptr<Impl> load(const Chart::Impl& chart, const Json& saved);
  explicit Instance(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Enters the root machine. Once, first. Inputs must have been checked (Machine::check_inputs).
void start(Instance& instance, const Json& inputs, Effects& out);

// One macrostep. An outcome or timer for something not outstanding is ignored (handled = false).
void step(Instance& instance, const Event& event, Effects& out);

// What the engine does when `abort` was not taken, or a limit of time passed: cancels everything
// and finishes with status aborted.
void force_abort(Instance& instance, std::string reason, Effects& out);

// Most microsteps of one macrostep.
inline constexpr int max_microsteps = 1000;

// After so many queued events in a row, with nothing from outside between them, machines are taken
// not to come to rest. Who steps an instance keeps to that; a step alone does not know.
inline constexpr int max_own_events = 1000;

}  // namespace agneto::chart
