// A machine with a clock of its own. Its caller steps it; what it asks of the world is kept and not
// done.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chart/step.h"

namespace agneto::play {

// An `after` or delayed send that has not come due.
struct Timer {
  std::string path;
  Millis due{0};
};

// Not thread-safe.
class PlayedMachine {
 public:
  // Both must outlive it.
  PlayedMachine(const model::System& system, chart::Evaluator& evaluator, const chart::RunInfo& run,
                chart::Chart::Options options = {});

  // Once, first. Inputs must have been checked (Machine::check_inputs).
  void start(const Json& inputs);
  // One macrostep. A timer's is used up, and the clock does not stand before it was due.
  void step(const chart::Event& event);
  void force_abort(const std::string& reason);
  // Moves the clock, not back; no timer fires.
  void advance_to(Millis time);
  // From now on it is another run, that goes on from here.
  void go_on_as(const std::string& run);

  const model::System& system() const { return chart_.system(); }
  const chart::Instance& instance() const { return instance_; }
  // What the last macrostep did.
  const chart::Effects& effects() const { return effects_; }
  // What was ordered under that path last; null: nothing, or it was cancelled.
  const chart::Effect* ordered(const std::string& path) const;
  // What was ordered and has neither ended nor been cancelled, in document order; no timers.
  std::vector<const chart::Effect*> running() const;
  // In the order in which they come due.
  const std::vector<Timer>& timers() const { return timers_; }
  Millis now() const { return now_; }
  const std::optional<chart::Finish>& finish() const { return finish_; }

 private:
  void note();

  chart::Chart chart_;
  chart::Instance instance_;
  chart::Effects effects_;
  std::map<std::string, chart::Effect> ordered_;  // by path
  std::vector<Timer> timers_;
  std::optional<chart::Finish> finish_;
  Millis now_{0};
};

}  // namespace agneto::play
