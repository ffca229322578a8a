// The prompt of a call that a Play waits for, rendered by the bundled hooks as a run would.
#pragma once

#include <string>

#include "play.h"
#include "script/hook_data.h"
#include "script/hooks.h"
#include "script/verdicts.h"
#include "support/paths.h"

namespace agneto::workflows {

inline script::ModulePaths bundled_modules() {
  const fs::path root(AGNETO_SOURCE_DIR);
  return {{root}, root / "scripts" / "lib"};
}

struct Call {
  fs::path hooks;
  std::string agent;
  std::string task;
  Json m;
};

inline Call call_of(const Workflow& workflow, const Play& play, const chart::CallAgent& effect) {
  const auto& machine = workflow.system->machine(effect.machine);
  const auto& state = machine.state(effect.state);
  const auto& activity = std::get<model::AgentCall>(state.activity);
  const auto& agent = machine.agents[activity.agent];
  Call call{agent.hooks, agent.name, activity.task, play.data(effect.instance)};
  call.m["run"] = {{"id", "r1"}, {"interactive", true}, {"auto_merge", false}};
  call.m["state"] = state.name;
  call.m["task"] = activity.task;
  call.m["attempt"] = 1;
  call.m["last_error"] = nullptr;
  call.m["verdicts"] = script::verdicts_to_json(activity.verdicts);
  call.m["workspace"] = {
      {"diff", "+the whole diff"},
      {"files", {"a", "b"}},
      {"base", "c0"},
      {"head", "c1"},
      {"chunk", {{"diff", "+the chunk's diff"}, {"files", {"b"}}, {"base", "c1"}, {"head", "c1"}}}};
  return call;
}

inline std::string prompt(script::Hooks& hooks, const Call& call) {
  return hooks.prompt(call.hooks, call.task, call.m);
}

}  // namespace agneto::workflows
