// YAML that is being typed -> a tree.
//
// Of a text without mistakes it is the same tree as that of yaml/tree.h, but for the values of
// scalars: a block's text is its lines as they are, and what YAML would report is not. Of a text
// with mistakes it is what its indentation suggests: a line without a colon among keys is a key
// without a value, a bracket that is not closed ends where the lines around it go on.
#pragma once

#include "base/source.h"
#include "yaml/tree.h"

namespace agneto::lsp {

// Always a tree; null where the text is blank.
yaml::Node read_tolerantly(const Source& source);

}  // namespace agneto::lsp
