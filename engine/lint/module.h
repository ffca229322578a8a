// A hook module, or a file that one requires, read once.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/source.h"
#include "lua/tree.h"
#include "model/machine.h"

namespace agneto::lint {

struct Module {
  SourcePtr source;
  std::optional<lua::Node> tree;           // none where it could not be read, which is reported
  std::vector<model::MachineId> machines;  // whose agents use it
  bool complete = true;                    // all that it requires was found
};

// Where the node stands in the module.
Span place(const Module& module, const lua::Node& node);

}  // namespace agneto::lint
