// Which machine of the tree an event is for.
#include <algorithm>
#include <utility>

#include "chart/interpreter.h"
#include "chart/path.h"

namespace agneto::chart {

using model::StateId;

std::optional<Address> locate(const Instance::Impl& tree, std::string_view text) {
  const auto path = Path::parse(text);
  if (!path) return std::nullopt;
  Address at;
  at.instance = tree.root.get();
  at.send = path->send;
  if (path->timer > 0) at.timer = path->timer - 1;
  const bool in_machine = path->of_machine || path->send;
  for (std::size_t i = 0; i < path->parts.size(); ++i) {
    const Path::Part& part = path->parts[i];
    at.state = at.instance->machine().find(part.name);
    at.item = part.item;
    if (at.state == model::none || !at.instance->is_current(at.state, part.entry)) {
      return std::nullopt;
    }
    if (i + 1 == path->parts.size() && !in_machine) {
      // A timer is the loop's, not an item's.
      return at.timer && at.item > 0 ? std::nullopt : std::optional(at);
    }
    at.instance = at.instance->child_of(at.state, at.item);
    if (!at.instance) return std::nullopt;
  }
  if (!in_machine) return std::nullopt;
  at.state = at.send ? model::none : 0;
  at.item = 0;
  return at;
}

MachineInstance* Instance::Impl::find(std::string_view path) const {
  if (path.empty()) return root.get();
  const auto at = locate(*this, path);
  if (!at || at->state == model::none || at->timer) return nullptr;
  return at->instance->child_of(at->state, at->item);
}

void Interpreter::start(const Json& inputs) {
  tree_.root = std::make_unique<MachineInstance>(tree_.chart.tables[0], nullptr, model::none);
  start_machine(*tree_.root, inputs);
  conclude();
}

void Interpreter::step(const Event& event) {
  out_.event = event.name;
  if (!tree_.root || tree_.finished) return;
  switch (event.kind) {
    case Event::Kind::external:
      out_.handled = event.path.empty() ? offer(*tree_.root, event) : offer_to_one(event);
      break;
    case Event::Kind::outcome:
      out_.handled = deliver_outcome(event);
      break;
    case Event::Kind::timer:
      out_.handled = deliver_timer(event);
      break;
    case Event::Kind::queued:
      out_.handled = deliver_queued();
      break;
  }
  conclude();
}

void Interpreter::abort(std::string reason) {
  if (!tree_.root || tree_.finished) return;
  MachineInstance& root = *tree_.root;
  begin();
  exit_all(root);
  end(root, {"aborted", model::FinalStatus::aborted, Json::object(), std::move(reason)});
  conclude();
}

// Depth-first, in document order; upwards only where nothing below took it.
bool Interpreter::offer(MachineInstance& m, const Event& event) {
  if (m.children.empty()) return process(m, event, model::none);
  std::vector<std::pair<StateId, std::uint32_t>> owners;
  for (const auto& child : m.children) owners.emplace_back(child->owner, child->item);
  bool taken = false;
  for (const auto& [owner, item] : owners) {
    if (MachineInstance* child = m.child_of(owner, item)) taken = offer(*child, event) || taken;
  }
  return taken || process(m, event, model::none);
}

bool Interpreter::offer_to_one(const Event& event) {
  MachineInstance* m = event.path == "." ? tree_.root.get() : tree_.find(event.path);
  return m && process(*m, event, model::none);
}

bool Interpreter::deliver_outcome(const Event& event) {
  const auto at = locate(tree_, event.path);
  if (!at || at->state == model::none || at->timer) return false;
  if (at->item > 0) return deliver_opened(*at, event);
  MachineInstance& m = *at->instance;
  if (!m.running.has(at->state)) return false;
  m.running.remove(at->state);
  if (Batch* batch = m.batch_of(at->state)) return deliver_joined(m, *batch, event);
  return process(m, event, at->state);
}

bool Interpreter::deliver_timer(const Event& event) {
  const auto at = locate(tree_, event.path);
  if (!at) return false;
  MachineInstance& m = *at->instance;
  if (at->send) {
    auto& sends = m.pending.sends;
    const auto send = std::ranges::find(sends, *at->send, &Send::id);
    if (send == sends.end()) return false;
    Event due{Event::Kind::timer, std::move(send->name), std::move(send->data), event.path};
    const Recipient to = send->to;
    sends.erase(send);
    tell_of(due);
    if (to.is_other()) return pass_on(m, std::move(due), to);
    return process(m, due, model::none);
  }
  auto& timers = m.pending.timers;
  const auto timer = std::ranges::find_if(timers, [&](const PendingTimer& t) {
    return t.state == at->state && at->timer && t.number == *at->timer;
  });
  if (timer == timers.end()) return false;
  const PendingTimer due = *timer;
  timers.erase(timer);
  out_.event = "after";
  return fire(m, due, {Event::Kind::timer, "after", {}, event.path});
}

namespace {

// The instance whose queue holds the event that came first; null where all queues are empty.
MachineInstance* first_queued(MachineInstance& m) {
  MachineInstance* first = m.pending.queue.empty() ? nullptr : &m;
  for (const auto& child : m.children) {
    MachineInstance* other = first_queued(*child);
    if (other &&
        (!first || other->pending.queue.front().order < first->pending.queue.front().order)) {
      first = other;
    }
  }
  return first;
}

}  // namespace

bool Interpreter::deliver_queued() {
  MachineInstance* m = first_queued(*tree_.root);
  if (!m) return false;
  Queued queued = std::move(m->pending.queue.front());
  m->pending.queue.pop_front();
  if (queued.owner != model::none) --m->pending.addressed;
  tell_of(queued.event);
  if (queued.to.is_other()) return pass_on(*m, std::move(queued.event), queued.to);
  return process(*m, queued.event, queued.owner);
}

namespace {

// As the machine around sees it.
void set_origin(Event& event, const MachineInstance& m) {
  event.path = m.path;
  event.origin = m.parent->machine().state(m.owner).name;
  event.item = m.item;
}

}  // namespace

void Interpreter::tell_of(const Event& event) {
  out_.event = event.name;
  out_.origin = event.origin;
  out_.item = event.item;
}

// Takes the turn of an event that `m` has sent to another machine. The machine that is at work
// there now gets the event itself; the machines within it do not.
bool Interpreter::pass_on(MachineInstance& m, Event event, const Recipient& to) {
  event.kind = Event::Kind::queued;
  if (to.parent) {
    if (!m.parent) return tell_undelivered(m, event, to);
    set_origin(event, m);
    tell_of(event);
    return process(*m.parent, event, model::none);
  }
  std::vector<std::uint32_t> items;
  for (const auto& child : m.children_of(to.state)) {
    if (to.item == 0 || to.item == child->item) items.push_back(child->item);
  }
  const bool unseen = tree_.chart.options.shallow && m.running.has(to.state);
  if (items.empty()) return unseen || tell_undelivered(m, event, to);
  event.path = m.path;
  event.origin = to_parent;
  tell_of(event);
  bool taken = false;
  for (const std::uint32_t item : items) {
    MachineInstance* child = m.child_of(to.state, item);
    if (child) taken = process(*child, event, model::none) || taken;
  }
  return taken;
}

// Nobody is there. That may be so by chance, where a machine ends meanwhile; so nothing has to take
// it.
bool Interpreter::tell_undelivered(MachineInstance& m, const Event& event, const Recipient& to) {
  const std::string name = to.parent ? std::string(to_parent) : m.machine().state(to.state).name;
  const std::string where = to.item > 0 ? item_path(name, to.item) : name;
  Event notice{Event::Kind::queued, std::string(model::undelivered), {}, m.path};
  notice.data = {{"message", "'" + event.name + "' reached nobody: " +
                                 (to.parent ? "no machine is around '" + m.machine().name + "'"
                                            : "no machine is at work in " + where)},
                 {"event", event.name}};
  notice.origin = name;
  notice.item = to.item;
  tell_of(notice);
  const bool taken = process(m, notice, model::none);
  if (!taken) out_.problems.push_back({m.path, notice.name, notice.data["message"]});
  return taken;
}

// The machine ends: what it has sent to the one around and has not had its turn is that one's now.
void Interpreter::hand_over(MachineInstance& m) {
  if (!m.parent) return;
  auto& received = m.parent->pending.queue;
  for (Queued& queued : m.pending.queue) {
    if (!queued.to.parent) continue;
    set_origin(queued.event, m);
    queued.id.clear();
    queued.to = {};
    const auto later = std::ranges::upper_bound(received, queued.order, {}, &Queued::order);
    received.insert(later, std::move(queued));
  }
}

// What items have ended for starts others. A run that has finished has nothing left to suspend.
void Interpreter::follow_ends() {
  std::vector<std::string>& changed = tree_.scratch.changed;
  for (std::size_t i = 0; i < changed.size() && !tree_.finished; ++i) {
    const auto at = locate(tree_, changed[i]);
    if (at && at->instance->batch_of(at->state)) advance(*at->instance, at->state);
  }
  changed.clear();
  tree_.scratch.dead.clear();
  if (!tree_.finished) return;
  std::erase_if(out_.effects, [](const Effect& e) { return std::holds_alternative<Suspend>(e); });
}

}  // namespace agneto::chart
