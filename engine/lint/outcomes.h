// What a state's activity can end in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine.h"

namespace agneto::lint {

struct Outcome {
  std::string name;
  Span span;              // where it is declared, or else its state
  std::string_view what;  // "verdict", "option", "outcome"
  Span related;           // a final state in another file
};

// Errors apart; empty without an activity.
std::vector<Outcome> outcomes(const model::State& state, const model::System& system);

// The fields of the event that is this outcome; none where there is no such outcome.
std::optional<std::vector<std::string>> fields(const model::State& state,
                                               const model::System& system,
                                               const std::string& outcome);

// Those of an outcome whose fields nobody declares, of an activity with this key: `ask`, `run`, ...
std::vector<std::string> engine_fields(std::string_view activity, std::string_view outcome);

// Those that an event's name can find in the state and around it, innermost first.
std::vector<model::TransitionId> takers(const model::Machine& machine, model::StateId state,
                                        std::string_view event);

}  // namespace agneto::lint
