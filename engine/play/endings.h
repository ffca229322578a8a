// How an activity may end, as a run has it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "chart/effect.h"
#include "model/machine.h"

namespace agneto::play {

// What it may end in, besides `error.*`.
struct Outcome {
  std::string name;
  std::vector<model::Field> fields;  // of a verdict
};

// In the order of the file.
std::vector<Outcome> outcomes_of(const chart::Effect& effect, const model::System& system);

// Why no run would give something: one line, and what to do about it.
struct Objection {
  std::string problem, help;
};

// To an activity that ends in `event` with this data: an outcome or an error that there is not, a
// verdict without one of its fields or with another. A verdict that is right gets exactly its
// fields, in their types; other data is not looked at.
std::optional<Objection> objection_to(const chart::Effect& effect, const std::string& event,
                                      Json& data, const model::System& system);

// To an error of this name.
std::optional<Objection> objection_to_error(const std::string& event, const model::System& system);

}  // namespace agneto::play
