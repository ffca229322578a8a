// JSON text of what most entries hold, without a detour: a step writes a dozen such values.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace agneto::journal {

// Each appends to `out` what `to_text` would.
void add_text(std::string_view text, std::string& out);
void add_value(const Json& value, std::string& out);

}  // namespace agneto::journal
