// YAML that is being typed -> a tree.
//
// While somebody types, a file is hardly ever YAML, and an editor wants to know all the same what
// stands where: `parse` (tree.h) gives nothing then, since yaml-cpp ends at the first mistake. This
// reader takes the text for what its indentation suggests: a line without a colon among keys is a
// key without a value, and a bracket that is not closed ends where the lines around it go on.
//
// A text without mistakes gives the same tree as `parse` does, but for the values of scalars: the
// text of a block is its lines as they are, and nothing is reported.
#pragma once

#include "base/source.h"
#include "yaml/tree.h"

namespace agneto::yaml {

// Always gives a tree; it is null where the text is blank.
Node read_tolerantly(const Source& source);

}  // namespace agneto::yaml
