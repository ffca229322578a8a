// The comments of a YAML file, which its tree does not have.
#pragma once

#include <vector>

#include "base/source.h"

namespace agneto::yaml {

// From their `#` to the end of the line, in order. None where the text is not YAML.
std::vector<Span> comments(const SourcePtr& source);

}  // namespace agneto::yaml
