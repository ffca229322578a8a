// The errors that an activity ends in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/machine.h"

namespace agneto::model {

// The engine's own errors: "error.timeout", "error.exit" and so on, the common ones first.
const std::vector<std::string>& engine_errors();

// Is it the name of an error, known or not?
bool is_error(std::string_view event);

// Is it one of the engine's, or one that a transition of the system takes by name? A provider of a
// team may give errors of its own. `error` alone stands for any.
bool is_known_error(std::string_view event, const System& system);

}  // namespace agneto::model
