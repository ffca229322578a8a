// Counters that need not be counted on without end.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "lint/context.h"

namespace agneto::lint {

// A number of the context that is compared with constants alone, and otherwise set anew or counted
// up, makes no difference any more once it is above all of these: one more than the greatest of
// them stands for every such number. That one; none where the name is put to another use. `known`:
// the inputs whose values are known, with the greatest of these where they are numbers.
std::optional<std::int64_t> most_told_apart(const LintContext& context, const Machine& machine,
                                            const std::string& name,
                                            const std::map<std::string, std::int64_t>& known);

// Does what the piece of code comes to make no difference to where the machine goes?
bool is_shown_alone(const std::string& what);

}  // namespace agneto::lint
