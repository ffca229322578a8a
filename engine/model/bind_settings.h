// What a file says of how an agent is reached (agent_settings.h): a workflow, or a configuration.
#pragma once

#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "model/agent_settings.h"
#include "yaml/tree.h"

namespace agneto::model {

// Sets what that key says; no other key than one of a setting does anything. What has the wrong
// shape (shape.h) is skipped without a word; what is wrong besides is reported.
void read_setting(AgentSettings& settings, std::string_view key, const yaml::Node& value,
                  Diagnostics& diagnostics);

// (bind_retry.cpp) What a `retry` says, and how often something is tried; reports what cannot be.
enum class Tried { agent, program };
RetrySettings read_retry(const yaml::Node& node, Tried what, Diagnostics& diagnostics);
std::optional<int> read_tries(const yaml::Node& node, Tried what, Diagnostics& diagnostics);

}  // namespace agneto::model
