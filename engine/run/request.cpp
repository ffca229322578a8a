#include "run/request.h"

#include "chart/effect.h"
#include "model/settings_json.h"
#include "script/hook_data.h"

namespace agneto::run {
namespace {

Json to_json(const workspace::Changes& changes) {
  return {{"diff", changes.diff},
          {"files", changes.files},
          {"base", changes.base},
          {"head", changes.head}};
}

}  // namespace

agents::Request request_of(const chart::CallAgent& effect, const model::System& system,
                           const chart::Instance& instance, const Config& config) {
  const auto& state = system.machine(effect.machine).state(effect.state);
  const auto& activity = chart::activity_of(effect, system);
  const auto& agent = chart::agent_of(effect, system);
  const AgentSettings settings = config.of(system.machine(effect.machine), effect.state);

  agents::Request request;
  request.id = effect.path;
  request.agent = agent.name;
  request.hooks = agent.hooks;
  request.task = activity.task;
  request.state = state.name;
  request.verdicts = activity.verdicts;
  request.access = activity.access;
  request.retry = model::usual_of_agent.with(settings.retry);
  request.files = effect.files;
  request.timeout = agent.timeout;
  request.idle = agent.idle;
  request.patience = config.patience;
  request.provider = settings.provider;
  request.model = settings.model;
  request.options = config.options_of(settings.provider);
  request.tools = settings.tools.value_or(std::vector<std::string>());
  request.effort = settings.effort;
  request.args = settings.args.value_or(std::vector<std::string>());
  request.env = settings.env;
  request.mcp = model::servers_json(settings);
  request.price = config.price_of(settings.provider, settings.model);
  request.extra_instructions = settings.instructions;

  request.m = script::hook_data(effect, system, instance);
  return request;
}

Json workspace_json(const workspace::Changes& since_base, const workspace::Changes& since_commit) {
  Json workspace = to_json(since_base);
  workspace["chunk"] = to_json(since_commit);
  return workspace;
}

}  // namespace agneto::run
