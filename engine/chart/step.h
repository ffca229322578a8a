// The interpreter: one event in, the instance changed in place, effects out.
//
// Pure: no I/O, no clock, no threads; the same instance and event give the same result everywhere.
// Semantics are those of W3C SCXML, appendix D, with the additions of docs/language.md (addressed
// outcomes, depth-first offering, nothing idles for ever).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "chart/effect.h"
#include "chart/evaluator.h"
#include "chart/event.h"
#include "model/machine.h"

namespace agneto::chart {

// What one macrostep did and asks for.
struct Effects {
  struct Taken {
    std::string instance;  // path of the machine instance; empty for the root
    model::MachineId machine;
    model::TransitionId transition;
    std::string event;  // what it was taken for, "after" for a timer; empty for an eventless one
  };
  struct Moved {
    std::string path;  // "TASK_EXECUTING#1/CODE_REVIEW#3"
    bool entered;      // else exited
  };
  struct Problem {
    std::string path;     // the state or instance it happened in
    std::string event;    // "error.lua", "error.livelock", "error.unhandled"
    std::string message;  // with file and line where there is one
  };

  bool handled = false;  // did anything take the event?
  std::string event;     // the event's name, also for queued ones; empty at the start
  std::vector<Effect> effects;
  std::vector<Taken> transitions;
  std::vector<Moved> moved;
  std::vector<Problem> problems;
};

// A run's whole machine state: a tree of machine instances, each with its configuration, data,
// history, entry counts, queues, pending sends and timers. Serialises whole.
class Instance {
 public:
  // `system` and `evaluator` must outlive it.
  Instance(const model::System& system, Evaluator& evaluator, RunInfo run);
  ~Instance();
  Instance(Instance&&) noexcept;
  Instance& operator=(Instance&&) noexcept;

  Json save() const;
  // Throws Error where the saved instance does not fit the system (a state is gone).
  static Instance restore(const model::System& system, Evaluator& evaluator, const Json& saved);

  bool finished() const;
  // Are there events in external queues, to be taken by steps with Event::Kind::queued?
  bool pending() const;
  // Paths of active atomic states over the whole tree, in document order.
  std::vector<std::string> active() const;
  // Every effect ordered and neither ended nor cancelled, timers included.
  std::vector<std::string> outstanding() const;
  // {"inputs", "ctx"} of the machine instance with that path; null if there is none.
  Json data(std::string_view instance) const;
  const RunInfo& run() const;

  class Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Enters the root machine. Once, first. Inputs must have been checked (Machine::check_inputs).
void start(const model::System& system, Instance& instance, const Json& inputs, Effects& out);

// One macrostep. An outcome or timer for something not outstanding is ignored (handled = false).
void step(const model::System& system, Instance& instance, const Event& event, Effects& out);

// What the engine does when `abort` was not taken, or a limit of time passed: cancels everything
// and finishes with status aborted.
void force_abort(const model::System& system, Instance& instance, std::string reason, Effects& out);

// Most microsteps of one macrostep.
inline constexpr int max_microsteps = 1000;

}  // namespace agneto::chart
