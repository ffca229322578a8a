// What may be written in Lua.
#pragma once

#include <string_view>

#include "lsp/suggestions.h"

namespace agneto::lsp {

// In a piece of Lua in a machine's file; `before`: the source of its scalar up to the cursor.
// Returns where in it the word begins that suggestions replace.
std::size_t complete_lua(const OutlinePtr& outline, const Place& place, std::string_view before,
                         Outlines& outlines, Suggestions& out);

}  // namespace agneto::lsp
