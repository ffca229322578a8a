// What an invariant looks at.
#pragma once

#include <set>
#include <string>

#include "lint/context.h"

namespace agneto::lint {

// The names of the context on which it depends whether the invariant holds: those in it, in guards
// on the way into the states that it asks for, and in all that these are assigned from and under
// which condition. Others can be taken to be anything, which makes more possible and nothing less.
std::set<std::string> looked_at(const LintContext& context, const Machine& machine,
                                const model::Invariant& invariant);

}  // namespace agneto::lint
