// Is what was read from a reply a verdict that the state declares, with the fields it declares?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/machine.h"
#include "script/hooks.h"

namespace agneto::script {

// What is wrong with it, to be told to the agent ("the verdict is 'MAYBE', which is none of those
// declared"); nothing if it is right, and then `read` has exactly the declared fields.
std::optional<std::string> problem_with(const std::vector<model::Verdict>& declared,
                                        std::optional<VerdictReply>& read);

}  // namespace agneto::script
