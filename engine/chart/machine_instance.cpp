#include "chart/machine_instance.h"

#include <algorithm>

#include "chart/path.h"

namespace agneto::chart {

namespace {

// Where the machine of that item is, or belongs.
auto find_place(auto& children, model::StateId owner, std::uint32_t item) {
  return std::lower_bound(children.begin(), children.end(), std::pair(owner, item),
                          [](const auto& child, const auto& place) {
                            return std::pair(child->owner, child->item) < place;
                          });
}

}  // namespace

MachineInstance::MachineInstance(const MachineTable& machine_table, MachineInstance* p,
                                 model::StateId o, std::uint32_t i)
    : table(&machine_table),
      parent(p),
      owner(o),
      owner_entry(p ? p->entries[o] : 0),
      item(i),
      depth(p ? p->depth + 1 : 0),
      path(!p       ? ""
           : i == 0 ? p->path_of(o)
                    : p->path_of(o, i)) {
  const std::size_t count = machine().states.size();
  active = running = unstarted = entering.states = StateSet(count);
  if (machine_table.has_parallel) {
    walk = {StateSet(count), std::vector<model::TransitionId>(count, model::none)};
  }
  entries.assign(count, 0);
}

std::string MachineInstance::path_of(model::StateId state) const {
  if (state == 0) return path;
  return state_path(path, machine().state(state).name, entries[state]);
}

std::string MachineInstance::path_of(const PendingTimer& timer) const {
  return timer.state == 0 ? machine_timer_path(path, timer.number + 1)
                          : timer_path(path_of(timer.state), timer.number + 1);
}

std::string MachineInstance::path_of(const Send& send) const {
  return send_path(path, send.id);
}

std::string MachineInstance::path_of(model::StateId state, std::uint32_t of_item) const {
  return item_path(path_of(state), of_item);
}

std::span<const std::unique_ptr<MachineInstance>> MachineInstance::children_of(
    model::StateId state) const {
  const auto first =
      std::lower_bound(children.begin(), children.end(), state,
                       [](const auto& child, model::StateId s) { return child->owner < s; });
  auto last = first;
  while (last != children.end() && (*last)->owner == state) ++last;
  return {first, last};
}

MachineInstance* MachineInstance::child_of(model::StateId state, std::uint32_t of_item) const {
  const auto place = find_place(children, state, of_item);
  const bool found =
      place != children.end() && (*place)->owner == state && (*place)->item == of_item;
  return found ? place->get() : nullptr;
}

MachineInstance& MachineInstance::adopt(std::unique_ptr<MachineInstance> child) {
  const auto place = find_place(children, child->owner, child->item);
  return **children.insert(place, std::move(child));
}

std::unique_ptr<MachineInstance> MachineInstance::release(const MachineInstance& released) {
  const auto place = find_place(children, released.owner, released.item);
  std::unique_ptr<MachineInstance> child = std::move(*place);
  children.erase(place);
  return child;
}

Batch* MachineInstance::batch_of(model::StateId state) {
  const auto batch = std::ranges::find(batches, state, &Batch::state);
  return batch == batches.end() ? nullptr : &*batch;
}

void MachineInstance::set_running(model::StateId state, bool runs) {
  if (running.has(state) == runs) return;
  running.toggle(state);
  undo.changes.push_back({Undo::Change::running, state});
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
  if (undo.batches) batches = std::move(*undo.batches);
  forget_changes();
}

}  // namespace agneto::chart
