// Plays what an exploration found with the machine's own Lua: where that leads to the same, nothing
// in it was guessed. So a finding can say "can" or "may", and show events that lead there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lint/explore/explore.h"

namespace agneto::lint {

struct Played {
  // Did the machine go the same way, step by step?
  bool confirmed = true;
  // Did it not come to rest?
  bool restless = false;
  // What the expression that was asked for comes to in the end.
  std::optional<bool> holds;
  // The command that shows it, and the events to give it, a line each.
  std::vector<std::string> trace;
};

// To the configuration.
Played play_to(const LintContext& context, const Machine& machine, const Exploration& found,
               std::uint32_t at, CodeId asked = none);
// Along the edge.
Played play_along(const LintContext& context, const Machine& machine, const Exploration& found,
                  std::uint32_t edge);

}  // namespace agneto::lint
