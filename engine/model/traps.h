// Where YAML does something to a piece of Lua, or to a map, that its author did not mean.
#pragma once

#include <string_view>

#include "base/diagnostic.h"
#include "syntax/tree.h"

namespace agneto::model {

// The scalar `node` is Lua under `key`. Reports Lua cut short by a comment, lines lost after a
// `--`, and Lua that only a block scalar holds safely. False where the text is not what was meant.
bool check_lua(const syntax::Node& node, std::string_view key, Diagnostics& diagnostics);

// The entry at `index` of `map` has no value. Reports why that may be: a comment (` #`) or a comma
// that ended the text early, or nothing was written.
void report_no_value(const syntax::Node& map, std::size_t index, Diagnostics& diagnostics);

// Does the entry at `index` of `map` look like the rest of a text that a comma cut in two?
bool is_torn_off(const syntax::Node& map, std::size_t index);

}  // namespace agneto::model
