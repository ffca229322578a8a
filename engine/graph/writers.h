// A picture as text for other programs.
#pragma once

#include <string>

#include "base/json.h"
#include "graph/picture.h"

namespace agneto::graph {

// For Graphviz' `dot`: what the SVG and the PNG are made from.
std::string to_dot(const Picture& picture);

// A stateDiagram-v2, as Markdown pages show it.
std::string to_mermaid(const Picture& picture);

// docs/graph.md describes it.
Json to_json(const Picture& picture);

}  // namespace agneto::graph
