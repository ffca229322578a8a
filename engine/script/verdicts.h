// The verdicts that a state declares: told to hooks and providers, and compared with replies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/machine.h"
#include "script/hooks.h"

namespace agneto::script {

// Verdicts as hooks see them: [{"name": "OK", "fields": [{"name": "label", "type": "string",
// "optional": false}]}]; a field may have a "description", and "fields" where it is an object or a
// list of such.
Json verdicts_to_json(const std::vector<model::Verdict>& verdicts);
// The JSON Schema of a reply that carries one of the verdicts, for providers that can enforce it.
Json verdict_schema(const std::vector<model::Verdict>& verdicts);

// What is wrong with what was read from a reply, to be told to the agent ("the verdict 'MAYBE' is
// not one of those declared"); nothing if it is right, and then `read` has exactly the declared
// fields.
std::optional<std::string> problem_with(const std::vector<model::Verdict>& declared,
                                        std::optional<VerdictReply>& read);

}  // namespace agneto::script
