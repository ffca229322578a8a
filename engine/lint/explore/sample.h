// Data of which nothing is known, made up where something must be given.
#pragma once

#include <set>
#include <string>

#include "base/json.h"
#include "model/machine.h"

namespace agneto::lint {

// A value of the type.
Json sample(const model::Type& type);

// What would come with that end of the state's activity: of its fields those in `wanted`. Null
// where there are none.
Json sample(const model::State& state, const model::System& system, const std::string& outcome,
            const std::set<std::string>& wanted);

}  // namespace agneto::lint
