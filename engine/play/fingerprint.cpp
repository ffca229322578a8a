#include "play/fingerprint.h"

#include "chart/path.h"

namespace agneto::play {

namespace {

void forget_counts(Json& machine) {
  machine.erase("entries");
  machine.erase("sends_made");
  if (machine.contains("queue")) {
    for (Json& queued : machine["queue"]) queued.erase("order");
  }
  if (!machine.contains("children")) return;
  for (auto& [owner, child] : machine["children"].items()) forget_counts(child);
}

}  // namespace

Json fingerprint_of(const Simulator& simulator) {
  Json machines = simulator.instance().save().at("root");
  forget_counts(machines);
  Json timers = Json::array();
  for (const Timer& timer : simulator.timers()) {
    timers.push_back({chart::without_entries(timer.path), (timer.due - simulator.now()).count()});
  }
  return {{"machines", std::move(machines)}, {"timers", std::move(timers)}};
}

}  // namespace agneto::play
