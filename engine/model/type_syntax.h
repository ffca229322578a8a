// How types are written in a workflow.
#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "model/types.h"
#include "yaml/tree.h"

namespace agneto::model {

// `string`, `integer?`, `[string]` (a YAML list of one type, or quoted), `enum [a, b]` (quoted
// where YAML asks for it), `{enum: [a, b]}`. Reports what is wrong and returns nothing.
std::optional<Type> read_type(const yaml::Node& node, Diagnostics& diagnostics);

}  // namespace agneto::model
