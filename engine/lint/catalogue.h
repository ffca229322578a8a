// The rules of all folders. Those that lint checks are files of lint/rules; those of what raises
// its own findings stand in a rules.h beside it. The build collects both (rule_table.cmake), so
// that a new rule is in no list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/rule.h"
#include "lint/rule.h"

namespace agneto::lint {

// By code's number. The rules live as long as the program.
const std::vector<const Rule*>& catalogue();
// Those that are checked, in the order of their names.
const std::vector<const LintRule*>& lint_rules();

// By code, name or id, in whatever case; null where there is none.
const Rule* find_rule(std::string_view code_or_name);
// The check of a rule that lint checks itself; null for another.
const LintRule* find_lint_rule(const Rule& rule);
// What to say of a rule that find_rule does not know: "did you mean E203/undefined-target?"
std::string rule_suggestion(std::string_view code_or_name);

// The generated table, in no order.
std::vector<const Rule*> listed_rules();
std::vector<const LintRule*> listed_lint_rules();

}  // namespace agneto::lint
