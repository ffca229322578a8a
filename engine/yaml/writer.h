// Writes values as YAML that a person could have written, and that `parse` and `to_json` read back.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "yaml/tree.h"

namespace agneto::yaml {

// Keys in the order in which they were put in.
using Ordered = nlohmann::ordered_json;

// A map or list as a document. Small values stand on one line, text of several lines in a block.
// Bytes that are not UTF-8 are replaced.
std::string to_yaml(const Ordered& value);

// A tree without its comments, in that form. Scalars that are ambiguous are taken for text.
std::string to_yaml(const Node& node);

}  // namespace agneto::yaml
