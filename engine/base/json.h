// JSON values: what crosses every border of the engine (event data, inputs, outputs, journal).
// Objects are ordered by key, so that equal values have equal text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace agneto {

using Json = nlohmann::json;

// One line; bytes that are not UTF-8 are replaced, never thrown about.
inline std::string to_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace agneto
