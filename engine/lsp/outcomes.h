// Which events a state's activity ends in, and with which fields, of a file as it is typed.
#pragma once

#include <string>
#include <vector>

#include "lsp/outlines.h"

namespace agneto::lsp {

struct Ending {
  std::string event;
  std::vector<std::string> fields;
  Target declared;  // the verdict, the option, the final state; no source where it is the engine's
};

// Errors apart; empty where the state has no activity.
std::vector<Ending> endings(const OutlinePtr& outline, const State& state, Outlines& outlines);
// Those of the state and of all states inside of it.
std::vector<Ending> endings_within(const OutlinePtr& outline, const State& state,
                                   Outlines& outlines);

// The file of the machine that the state delegates to; empty where it does not. `each`: also where
// it does so for each item, whose outcomes are no events.
fs::path delegate_of(const Outline& outline, const State& state, bool each);

// The final states that end the machine, with the outcome that each ends in.
struct Final {
  const State* state = nullptr;
  std::string outcome;
};
std::vector<Final> finals(const Outline& outline);

}  // namespace agneto::lsp
