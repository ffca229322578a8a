#include "model/settings_json.h"

namespace agneto::model {

Json to_json(const AgentSettings& settings) {
  Json json = {{"provider", settings.provider.empty() ? "auto" : settings.provider},
               {"model", settings.model.empty() ? Json() : Json(settings.model)}};
  if (!settings.effort.empty()) json["effort"] = settings.effort;
  if (settings.tools) json["tools"] = *settings.tools;
  if (settings.args) json["args"] = *settings.args;
  if (!settings.env.empty()) json["env"] = settings.env;
  if (!settings.mcp.empty()) json["mcp"] = servers_json(settings);
  return json;
}

Json servers_json(const AgentSettings& settings) {
  Json servers = Json::object();
  for (const auto& [name, server] : settings.mcp) servers[name] = to_json(server);
  return servers;
}

}  // namespace agneto::model
