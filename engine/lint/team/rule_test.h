// Tests of a team's own rules: workflows in .agneto/lint/tests, in which a comment stands on each
// line of which one finds something, or alone before it.
//
//   agents:
//     coder: {hooks: coder.lua, access: full}  # expect: TEAM-1
#pragma once

#include <string>
#include <vector>

#include "base/files.h"

namespace agneto::lint {

bool is_rule_test(const fs::path& file);

// What the rules find and is not expected, what is expected and they do not find, and every error:
// a text each, with its place. `library`: the hook library of this program.
std::vector<std::string> failures_of_rule_test(const fs::path& file, const Files& files,
                                               const fs::path& library);

}  // namespace agneto::lint
