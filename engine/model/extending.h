// `extends`: a file that says what is different from another workflow's. Two trees -> one.
//
// The key table (keys.h) says how values are merged: maps by key, states by their name wherever
// they are nested; `null` removes; lists and Lua are replaced. What may be written short is merged
// as the map that it stands for, so that `ok: ELSEWHERE` redirects a transition and keeps its `do`.
// Every key and value keeps the place at which it was written.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "yaml/tree.h"

namespace agneto::model {

// Lays the changes over the base, both of them the tree of a machine. Reports changes of what the
// base, which messages call `name`, does not have; what has the wrong shape is left for the shape
// check of the result.
void extend(yaml::Node& base, yaml::Node changes, const std::string& name,
            Diagnostics& diagnostics);

}  // namespace agneto::model
