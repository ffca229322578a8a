// How an agent is reached, as people and programs are shown it.
#pragma once

#include "base/json.h"
#include "model/agent_settings.h"

namespace agneto::model {

// `provider` ("auto" where that is open), `model` (null: the CLI's own), and, where they are said,
// `effort`, `tools`, `args`, `env`, `mcp`.
Json to_json(const AgentSettings& settings);

// MCP servers by name, as drivers are given them.
Json servers_json(const AgentSettings& settings);

}  // namespace agneto::model
