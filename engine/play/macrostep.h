// What one macrostep of a simulation did, and how the machine stands after it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "chart/step.h"

namespace agneto::play {

struct Macrostep {
  int input = 0;                     // the number of the input that led to it; 0: the start
  std::optional<std::string> event;  // none: the start, or a clock that moved and fired nothing
  std::string origin;                // of a machine that has sent it, as chart::Event has them
  std::uint32_t item = 0;            //
  bool handled = false;              // did anything take the event? The start: true
  std::string refused;               // why the input could not be offered to the machine at all
  std::string doubt;                 // why no run would give this input; it was played even so
  Millis time{0};                    // on the simulated clock, which starts at 0

  std::vector<chart::Effect> effects;
  std::vector<chart::Effects::Taken> transitions;
  std::vector<chart::Effects::Moved> moved;
  std::vector<chart::Effects::Problem> problems;

  std::vector<chart::ActiveState> active;  // at the end: before the final exits
  Json context;                            // of the root machine
  Json machines;                           // the contexts of the others by their paths
  std::optional<chart::Finish> finish;     // once the root machine has ended
};

// With what the call of an agent in that state is made: an object whose keys the effect gets.
using SettingsOf = std::function<Json(const model::Machine& machine, model::StateId state)>;

// As `agneto simulate --json` prints it; docs/simulate.md describes each key.
Json to_json(const Macrostep& step, const model::System& system,
             const SettingsOf& settings_of = {});

// "OWNER#1/NAME", or the plain name of a state of the root machine.
std::string name_of(const chart::ActiveState& state, const model::System& system);
// What an effect starts: the agent, the machine, the operation, the send's id, the outcome; of
// others the state that orders it.
std::string name_of(const chart::Effect& effect, const model::System& system);

// A piece of code as people are shown it: its lines joined, without their indentation.
std::string on_one_line(std::string_view text);

}  // namespace agneto::play
