// A machine of a replay: stepped over what was recorded, while nobody is called.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chart/step.h"
#include "play/played_machine.h"
#include "record/entry.h"
#include "replay/replay.h"

namespace agneto::replay {

class ReplayedMachine : public play::PlayedMachine {
 public:
  // `script` outlives it.
  ReplayedMachine(const Script& script, const chart::RunInfo& run)
      : PlayedMachine(script.system, script.evaluator, run), script_(script) {}

  const Script& script() const { return script_; }
  // The last macrostep, as the journal would have it; `event` is what it was given.
  record::Macrostep told(const std::optional<chart::Event>& event) const {
    return record::macrostep_of(event ? &*event : nullptr, effects(), system());
  }
  // Activities, or timers, that are outstanding.
  std::vector<std::string> outstanding(bool timers) const;

  // Which of its outstanding activities or timers one of `then`'s is: of the same kind and the
  // same item, and of the same path, else of the same state, else asking for the same (an agent, an
  // option, a program). `taken`: paths that others will be found by. Empty: none.
  std::string place_of(const std::string& recorded, const ReplayedMachine& then,
                       const std::map<std::string, int>& taken) const;

 private:
  const Script& script_;
};

// Why the activity cannot end in that any more: a verdict that is not declared, an option that is
// not offered. Empty: it can.
std::string misfit(const chart::Event& event, const chart::Effect& activity,
                   const model::System& system);

}  // namespace agneto::replay
