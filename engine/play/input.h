// One input of a simulation, as a line of an events file or of the debugger has it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/text.h"

namespace agneto::play {

struct Input {
  std::string event;
  Json data;                      // null where there is none
  std::string from;               // the activity whose outcome it is; empty: a broadcast
  std::optional<Millis> advance;  // moves the clock; there is no event then
};

// Nothing for a blank line and for one that begins with `#`. Reads an event's name, or
// {"event": NAME, "data": …, "from": PATH}, or {"advance": DURATION}, a duration being one of the
// language or a number of milliseconds. Throws Error, without a place, for anything else.
std::optional<Input> parse_input(std::string_view line);

// Throws Error, which says at which column, where it is no JSON or nested too deep.
Json parse_json(std::string_view text);

// As a duration of the language, whole: "1d2h".
std::string to_duration(Millis duration);

// The line that `parse_input` reads as this input.
std::string to_line(const Input& input);

}  // namespace agneto::play
