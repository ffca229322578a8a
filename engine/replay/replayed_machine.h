// A machine of a replay: stepped over what was recorded, while nobody is called.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "chart/step.h"
#include "replay/replay.h"

namespace agneto::replay {

class ReplayedMachine {
 public:
  // `script` outlives it.
  ReplayedMachine(const Script& script, const chart::RunInfo& run);

  void start(const Json& inputs);
  void step(const chart::Event& event);
  void force_abort(const std::string& reason);
  // From now on it is another run, that goes on from here.
  void go_on_as(const std::string& run);

  // The last macrostep, as the journal would have it.
  const record::Macrostep& told() const { return told_; }
  bool handled() const { return out_.handled; }
  const chart::Instance& instance() const { return instance_; }
  const std::optional<chart::Finish>& finish() const { return finish_; }
  const model::System& system() const { return script_.system; }
  const Script& script() const { return script_; }
  // What was ordered under that path last; null: nothing, or it was cancelled.
  const chart::Effect* ordered(const std::string& path) const;
  const std::string& agent_of(const chart::CallAgent& call) const;
  // Activities, or timers, that are outstanding.
  std::vector<std::string> outstanding(bool timers) const;

  // Which of its outstanding activities or timers one of `then`'s is: of the same kind and the
  // same item, and of the same path, else of the same state, else asking for the same (an agent, an
  // option, a program). `taken`: paths that others will be found by. Empty: none.
  std::string place_of(const std::string& recorded, const ReplayedMachine& then,
                       const std::map<std::string, int>& taken) const;

 private:
  void note(const chart::Event* event);

  const Script& script_;
  chart::Chart chart_;
  chart::Instance instance_;
  chart::Effects out_;
  std::map<std::string, chart::Effect> ordered_;
  std::optional<chart::Finish> finish_;
  record::Macrostep told_;
};

// Why the activity cannot end in that any more: a verdict that is not declared, an option that is
// not offered. Empty: it can.
std::string misfit(const chart::Event& event, const chart::Effect& activity,
                   const model::System& system);

}  // namespace agneto::replay
