// How a cassette is played: how fast, how strictly, and with which of the faults that real CLIs
// show. docs/recording.md tells users.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "model/machine.h"

namespace agneto::record {

struct Playback {
  double speed = 0;                 // how much faster than recorded; 0: at once
  bool any_prompt = false;          // a prompt need not be the recorded one
  std::vector<std::string> faults;  // KIND@STEP, slow=DURATION@STEP
};

// As the provider `offline` takes it: {"speed", "fuzzy", "faults": [{"text", "kind", "step",
// "time"}]}. `step` is the end of a call's path, with all numbers, or "AGENT#N". Throws Error for a
// fault that there is not, and for a step where no agent of the system is called.
Json playback_options(const Playback& playback, const model::System& system);

}  // namespace agneto::record
