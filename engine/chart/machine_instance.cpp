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
  active = running = unstarted = entering.states = StateSet(count);
  if (machine_table.has_parallel) {
    walk = {StateSet(count), std::vector<model::TransitionId>(count, model::none)};
  }
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

void MachineInstance::set_running(model::StateId state, bool runs) {
  if (running.has(state) == runs) return;
  running.toggle(state);
  undo.changes.push_back({Undo::Change::running, state});
}

Pending& MachineInstance::change_pending() {
  if (!undo.pending) undo.pending = pending;
  return pending;
}

std::vector<Remembered>& MachineInstance::change_history() {
  if (!undo.history) undo.history = history;
  return history;
}

void MachineInstance::take_back() {
  for (auto change = undo.changes.rbegin(); change != undo.changes.rend(); ++change) {
    switch (change->kind) {
      case Undo::Change::entered:
        active.remove(change->state);
        --entries[change->state];
        break;
      case Undo::Change::left:
        active.add(change->state);
        break;
      case Undo::Change::running:
        running.toggle(change->state);
        break;
    }
  }
  if (undo.pending) pending = std::move(*undo.pending);
  if (undo.history) history = std::move(*undo.history);
  forget_changes();
}

}  // namespace agneto::chart
