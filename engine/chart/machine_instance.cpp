#include "chart/machine_instance.h"

#include <algorithm>

namespace agneto::chart {

MachineInstance::MachineInstance(const MachineTable& machine_table, MachineInstance* p,
                                 model::StateId o)
    : table(&machine_table),
      parent(p),
      owner(o),
      owner_entry(p ? p->entries[o] : 0),
      depth(p ? p->depth + 1 : 0),
      path(p ? p->path_of(o) : ""),
      prefix(p ? path + "/" : "") {
  const std::size_t count = machine().states.size();
  now.active = now.running = unstarted = entering.states = StateSet(count);
  if (machine_table.has_parallel) walk = {StateSet(count), {}};
  walk.found.assign(machine_table.has_parallel ? count : 0, model::none);
  before = now;
  entries.assign(count, 0);
}

std::string MachineInstance::path_of(model::StateId state) const {
  if (state == 0) return path;
  return prefix + machine().state(state).name + "#" + std::to_string(entries[state]);
}

std::string MachineInstance::path_of(const Timer& timer) const {
  const std::string of = timer.state == 0 ? prefix + "." : path_of(timer.state);
  return of + "/after:" + std::to_string(timer.number + 1);
}

std::string MachineInstance::path_of(const Send& send) const {
  return prefix + "send:" + send.id;
}

MachineInstance* MachineInstance::child_of(model::StateId state) const {
  for (const auto& child : children) {
    if (child->owner == state) return child.get();
  }
  return nullptr;
}

void MachineInstance::adopt(std::unique_ptr<MachineInstance> child) {
  const auto place = std::find_if(children.begin(), children.end(),
                                  [&](const auto& other) { return other->owner > child->owner; });
  children.insert(place, std::move(child));
}

std::unique_ptr<MachineInstance> MachineInstance::release(model::StateId state) {
  const auto place = std::find_if(children.begin(), children.end(),
                                  [&](const auto& child) { return child->owner == state; });
  std::unique_ptr<MachineInstance> child = std::move(*place);
  children.erase(place);
  return child;
}

}  // namespace agneto::chart
