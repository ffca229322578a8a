// What can be wrong in what a team or an author says of lint's findings.
// lint/catalogue.h lists the rules of all folders.
#pragma once

#include "base/rule.h"

namespace agneto::rules {

inline constexpr Rule unknown_rule = {
    "E130", "unknown-rule", "a rule in the configuration that does not exist or cannot be set",
    R"(`lint.rules` in `.agneto/config.yaml` gives warnings another level, by code or name. Errors keep
theirs: a workflow with one cannot be run, whatever the configuration says.)"};
inline constexpr Rule bad_suppression = {
    "W131", "bad-suppression", "a comment for lint that suppresses nothing",
    R"(A suppression names the warnings that it is about and says why they are right here, for the next
reader of the file: `# lint: ignore W405 -- the team is always there`. It stands at the end of the
line, or on one of its own before it. Errors cannot be suppressed.)"};
inline constexpr Rule unused_suppression = {
    "W132", "unused-suppression", "a suppression of what is not found there",
    R"(What it was about is gone, or was never on that line. Left there it would hide the next mistake of
the kind. Remove it, or the name of the rule that is not found. Nothing is said of a rule that rests on
exploring where that ended early.)",
    true};

}  // namespace agneto::rules
