// What changed between two states, so that a step records that instead of the whole state.
//
// A change is JSON: `[value]` where the value is another one, `[]` where it is gone, an object of
// changes by key (of an array: by index) where something inside changed. The whole state is thus
// also a change: `[state]`.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace agneto::journal {

// What differs, as one line of JSON; empty where the two are equal.
std::string change_between(const Json& from, const Json& to);
// `state` as a change from anything.
std::string whole(const Json& state);
bool is_whole(std::string_view change);
// Makes `value` what it was changed to. Throws std::invalid_argument where it does
// not fit.
void apply_change(const Json& change, Json& value);

}  // namespace agneto::journal
