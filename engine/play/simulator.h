// A machine played without agents, people, git or time: whatever would come of the world comes as
// an input, and what the machine asks of it is noted and not done.
//
// The same `step` as a real run's; the same inputs give the same macrosteps everywhere.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chart/step.h"
#include "play/input.h"
#include "play/macrostep.h"
#include "play/played_machine.h"

namespace agneto::play {

struct Options {
  // A state that delegates does not enter the machine: its outcome is an input too.
  bool shallow = false;
  chart::RunInfo run{"simulation"};
  // Most macrosteps between one input, or moment of the clock, and the next: a machine that sends
  // itself events for ever is left alone then.
  int max_macrosteps = chart::max_own_events;
};

// Not thread-safe.
class Simulator {
 public:
  // Hears of each macrostep as it is made.
  using Listener = std::function<void(const Macrostep&)>;

  // All must outlive it.
  Simulator(const model::System& system, chart::Evaluator& evaluator, const Options& options,
            Listener listener);

  // Once, first. Inputs must have been checked (Machine::check_inputs).
  void start(const Json& inputs);
  // One input and everything that follows from it: at least one macrostep. `number` is its line.
  //
  // An event without `from` is offered to all; one with it ends that activity. `from` is a path
  // ("SUB#1/A#2"), or the same without some numbers or outer states where only one running activity
  // fits. An `abort` that nothing takes, or that is given twice, or ten seconds after, ends the
  // machine. What no run would give, such as a verdict without its fields, is played, and its
  // first macrostep says so.
  void input(const Input& input, int number);

  const PlayedMachine& machine() const { return machine_; }
  // The running activity that `from` names, as `input` takes it. Throws Error where none or several
  // fit, saying what runs.
  const chart::Effect& activity(const std::string& from) const;

 private:
  void deliver(const Input& input, int number);
  void abort(int number);
  void advance(Millis duration, int number);
  void step(const chart::Event& event, int number);
  void drain(int number);
  std::string opening_or_joining() const;
  bool exhausted(int number);
  void report(int number, std::optional<std::string> event, bool handled, chart::Effects done,
              std::string refused = {});

  PlayedMachine machine_;
  Listener listener_;
  std::optional<Millis> abort_deadline_;
  const int max_macrosteps_;
  int steps_ = 0;      // at this moment
  std::string doubt_;  // about the input, until it is reported
};

}  // namespace agneto::play
