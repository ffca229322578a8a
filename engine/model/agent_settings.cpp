#include "model/agent_settings.h"

#include <algorithm>

namespace agneto::model {

Json to_json(const McpServer& server) {
  const bool is_program = !server.command.empty();
  Json json = is_program ? Json{{"command", server.command}} : Json{{"url", server.url}};
  if (is_program && !server.env.empty()) json["env"] = server.env;
  if (!is_program && !server.headers.empty()) json["headers"] = server.headers;
  return json;
}

Span AgentSettings::place(std::string_view key) const {
  const auto found = places.find(key);
  return found == places.end() ? Span() : found->second;
}

void AgentSettings::change_provider(const std::string& name) {
  if (provider != name) {
    model.clear();
    effort.clear();
    tools.reset();
    args.reset();
    for (const char* key : {"model", "effort", "tools", "args"}) places.erase(key);
  }
  provider = name;
}

void AgentSettings::lay(const AgentSettings& stronger) {
  if (!stronger.provider.empty()) change_provider(stronger.provider);
  if (!stronger.model.empty()) model = stronger.model;
  if (!stronger.effort.empty()) effort = stronger.effort;
  if (stronger.tools) tools = stronger.tools;
  if (stronger.args) args = stronger.args;
  for (const auto& [name, value] : stronger.env) env[name] = value;
  for (const auto& [name, server] : stronger.mcp) mcp[name] = server;
  if (!stronger.instructions.empty()) {
    if (!instructions.empty()) instructions += "\n\n";
    instructions += stronger.instructions;
  }
  retry.lay(stronger.retry);
  for (const auto& [key, place] : stronger.places) places[key] = place;
}

bool can_be_tool(std::string_view name) {
  return !name.empty() && name.front() != '-' &&
         std::ranges::none_of(name, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

}  // namespace agneto::model
