// Does a prompt say what it must?
#pragma once

#include <string>
#include <vector>

#include "play/compare.h"

namespace agneto::play {

// The one that is meant; null where there is none, or more than one.
const FoundPrompt* meant(const PromptExpectation& expected,
                         const std::vector<FoundPrompt>& prompts);

// All that differs, each at the place of what was expected; beside it stands the part of the prompt
// that is nearest to that, cut to a few lines. `when`: "after this step", "at the end".
std::vector<Failure> compare_prompt(const PromptExpectation& expected,
                                    const std::vector<FoundPrompt>& prompts,
                                    const std::string& when);

}  // namespace agneto::play
