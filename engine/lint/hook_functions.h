// The functions of a hook module that the engine calls.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "lua/tree.h"

namespace agneto::lint {

using lua::Node;

// Those that the module, whose tree it is, has under that name (`prompt`, `parse`), and those of
// its tasks; as far as they are written out in it.
std::vector<const Node*> hook_functions(const Node& module, std::string_view name);

// Visits the returns of the function itself; those of functions in it are left out.
void each_return(const Node& function, const std::function<void(const Node&)>& visit);

}  // namespace agneto::lint
