// Which events the activities of a file that is being typed end in, and with which fields.
#pragma once

#include <string>
#include <vector>

#include "lsp/outline.h"

namespace agneto::lsp {

// An outcome by the name of its event, where a file may be too unfinished for model::Outcome.
struct NamedOutcome {
  std::string event;
  std::vector<std::string> fields;
  Target declared;  // the verdict, the option, the final state; no source where it is the engine's
  const State* state = nullptr;  // whose activity ends in it
};

// The outcomes of the state's activity and of those of all states inside it, errors apart; of the
// whole machine where it is null.
std::vector<NamedOutcome> outcomes_within(const OutlinePtr& outline, const State* state,
                                          Outlines& outlines);

// The same of the state at a place in the first of the files, as that and those that it extends
// have it.
std::vector<NamedOutcome> outcomes_around(const std::vector<OutlinePtr>& files,
                                          const NodeContext& place, Outlines& outlines);

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
