// How lines of a file are indented, which YAML goes by.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "base/source.h"

namespace agneto::yaml {

bool is_blank_or_comment(std::string_view line);

// How far a line is indented that stands behind one that opens a map or a list: one step further.
std::optional<std::size_t> depth_behind_opening(const Source& source, int line);

// The lines from that one on that begin with tabs, with blanks: the first so deep, and a tab more
// or less of the others a step.
Edit indented_with_blanks(const Source& source, int line, std::size_t depth);

// The line on which a block (`KEY: |`) begins that ends before this line, which is no key and was
// to go on with it.
std::optional<int> block_that_ended(const Source& source, int line);

}  // namespace agneto::yaml
