// What can be wrong in a team's own rules. lint/catalogue.h lists the rules of all folders.
#pragma once

#include "base/rule.h"

namespace agneto::rules {

inline constexpr Rule team_rule = {
    "E135", "team-rule", "a rule of the team's own that cannot be checked",
    R"(A file of `.agneto/lint` returns a rule: `{id = "TEAM-1", summary = …, help = …, check = function(workflow,
report) … end}`. Where it cannot be read, or its `check` ends with an error, nothing is known of what the rule
is about, so that lint fails. Its `check` has no files, no programs and no clock, and a limit of
instructions and of memory.)"};

}  // namespace agneto::rules
