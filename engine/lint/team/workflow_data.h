// A machine as a team's own rules see it. docs/lint.md lists the fields.
#pragma once

#include <vector>

#include "base/json.h"
#include "base/source.h"
#include "model/machine.h"

namespace agneto::lint {

// Each element of the machine is an object whose `place` is a number: that of its place in
// `places`, from 1.
Json workflow_data(const model::System& system, const model::Machine& machine,
                   std::vector<Span>& places);

}  // namespace agneto::lint
