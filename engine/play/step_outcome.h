// What the activities of a simulated machine end in, as a test's step says it.
#pragma once

#include <map>
#include <string>
#include <variant>

#include "chart/effect.h"
#include "model/machine.h"
#include "play/scenario.h"

namespace agneto::play {

// An event, or why the step is not possible: one line, and what to do about it.
struct StepOutcome {
  std::string event;
  Json data;
  std::string problem, help;
};

// `step.text` as the end of the activity; what `step.data` does not say is filled in: an agent's
// fields must all be there, a command's output is empty, an error has a message.
StepOutcome outcome_of(const chart::Effect& effect, const Step& step, const model::System& system);

// A person's answer, as a run would take it.
StepOutcome answer_of(const chart::Effect& effect, const Step& step);

}  // namespace agneto::play
