#include "script/hook_data.h"

#include "chart/effect.h"
#include "script/verdicts.h"

namespace agneto::script {

Json hook_data(const chart::CallAgent& call, const model::System& system,
               const chart::Instance& instance, std::size_t attempt) {
  const auto& activity = chart::activity_of(call, system);
  const chart::RunInfo& run = instance.run();
  Json m = instance.data(call.instance);
  m["run"] = {{"id", run.id}, {"interactive", run.interactive}, {"auto_merge", run.auto_merge}};
  m["state"] = system.machine(call.machine).state(call.state).name;
  m["task"] = activity.task;
  m["attempt"] = attempt;
  m["last_error"] = nullptr;
  m["verdicts"] = verdicts_to_json(activity.verdicts);
  return m;
}

Json empty_workspace() {
  const Json changes = {{"diff", ""}, {"files", Json::array()}, {"base", ""}, {"head", ""}};
  Json workspace = changes;
  workspace["chunk"] = changes;
  return workspace;
}

}  // namespace agneto::script
