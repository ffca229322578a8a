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
  // Did the machine go the same way, step by step, and was all as it was expected?
  bool confirmed = true;
  // Did it not come to rest?
  bool restless = false;
  // The command that shows it, and the events to give it, a line each.
  std::vector<std::string> trace;
};

// An expression that is true, or false, behind that many edges of a way, and so on to the last of
// them; both at the end of the way unless said.
struct Expected {
  static constexpr std::size_t end = SIZE_MAX;
  CodeId code = none;
  std::size_t first = end;
  std::size_t last = end;
  bool holds = true;
};

// The edges from a beginning to the configuration `at`.
Played play(const LintContext& context, const Machine& machine, const Exploration& found,
            std::vector<std::uint32_t> way, std::uint32_t at, std::vector<Expected> expected = {});

// To the configuration.
Played play_to(const LintContext& context, const Machine& machine, const Exploration& found,
               std::uint32_t at);
// Along the edge.
Played play_along(const LintContext& context, const Machine& machine, const Exploration& found,
                  std::uint32_t edge);

}  // namespace agneto::lint
