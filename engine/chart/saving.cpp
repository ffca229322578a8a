// An instance tree as JSON and back, by names.
#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "chart/interpreter.h"
#include "chart/path.h"

namespace agneto::chart {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;

namespace {

Json names_of(const Machine& machine, const StateSet& states) {
  Json names = Json::array();
  for (StateId s = states.next(1); s != model::none; s = states.next(s + 1)) {
    names.push_back(machine.state(s).name);
  }
  return names;
}

// An item has inputs until its machine starts, and a result once that has ended.
Json save(const Batch& batch) {
  Json items = Json::array();
  for (const BatchItem& item : batch.items) {
    Json& saved = items.emplace_back(Json::object());
    if (!item.inputs.is_null()) saved["inputs"] = item.inputs;
    if (!item.result.is_null()) saved["result"] = item.result;
  }
  Json saved = {{"started", batch.started}, {"items", std::move(items)}};
  if (batch.needed > 0) saved["needed"] = batch.needed;
  if (batch.max_parallel > 0) saved["max_parallel"] = batch.max_parallel;
  return saved;
}

void save(const Recipient& to, const Machine& machine, Json& saved) {
  if (!to.is_other()) return;
  saved["to"] = to.parent ? std::string(to_parent) : machine.state(to.state).name;
  if (to.item > 0) saved["item"] = to.item;
}

// This is done at every step. So what is empty, as most is, is left out, and members are set one by
// one: in a list of pairs each pair would be a value of its own first.
Json save(const MachineInstance& m, Evaluator& evaluator) {
  const Machine& machine = m.machine();
  Json saved = Json::object();
  saved["machine"] = machine.name;
  saved["active"] = names_of(machine, m.active);
  saved["data"] = evaluator.save(*m.data);
  saved["sends_made"] = m.pending.sends_made;
  if (!m.running.empty()) saved["running"] = names_of(machine, m.running);
  for (const State& state : machine.states) {
    if (state.id == 0 || m.entries[state.id] == 0) continue;
    saved["entries"][state.name] = m.entries[state.id];
  }
  for (const Remembered& remembered : m.history) {
    Json& states = saved["history"][machine.state(remembered.history).name] = Json::array();
    for (StateId s : remembered.states) states.push_back(machine.state(s).name);
  }
  for (const PendingTimer& timer : m.pending.timers) {
    const Json state = timer.state == 0 ? Json() : Json(machine.state(timer.state).name);
    saved["timers"].push_back({{"state", state}, {"number", timer.number + 1}});
  }
  for (const Send& send : m.pending.sends) {
    Json& entry = saved["sends"].emplace_back(Json::object());
    entry["id"] = send.id;
    entry["event"] = send.name;
    entry["data"] = send.data;
    save(send.to, machine, entry);
  }
  for (const Queued& queued : m.pending.queue) {
    Json& entry = saved["queue"].emplace_back(Json::object());
    entry["order"] = queued.order;
    entry["event"] = queued.event.name;
    if (!queued.event.data.is_null()) entry["data"] = queued.event.data;
    if (!queued.event.path.empty()) entry["path"] = queued.event.path;
    entry["id"] = queued.id;
    if (queued.owner != model::none) entry["owner"] = machine.state(queued.owner).name;
    save(queued.to, machine, entry);
    if (queued.event.origin.empty()) continue;
    entry["origin"] = queued.event.origin;
    if (queued.event.item > 0) entry["item"] = queued.event.item;
  }
  for (const auto& child : m.children) {
    const std::string name = Path::Part{machine.state(child->owner).name, 0, child->item}.text();
    saved["children"][name] = save(*child, evaluator);
  }
  for (const Batch& batch : m.batches) {
    saved["batches"][machine.state(batch.state).name] = save(batch);
  }
  return saved;
}

Error damaged(const std::string& what) {
  return Error("the saved run is damaged: " + what);
}

class Loader {
 public:
  explicit Loader(Instance::Impl& tree) : tree_(tree) {}

  std::unique_ptr<MachineInstance> load(const Json& saved, const MachineTable& table,
                                        MachineInstance* parent, StateId owner,
                                        std::uint32_t item = 0) {
    auto m = std::make_unique<MachineInstance>(table, parent, owner, item);
    const Machine& machine = m->machine();
    for (const auto& [name, count] : member(saved, "entries").items()) {
      const StateId s = machine.find(name);
      if (s != model::none) m->entries[s] = count.get<std::uint32_t>();
    }
    m->entries[0] = 1;
    if (!tree_.finished) m->active.add(0);
    for (const Json& name : saved.at("active")) m->active.add(state(machine, name));
    check_legal(*m);
    load_history(member(saved, "history"), *m);
    load_outstanding(saved, *m);
    for (const Json& queued : member(saved, "queue")) load_queued(queued, *m);
    m->data = tree_.chart.evaluator.restore(machine.id, saved.at("data"));
    for (const auto& [name, batch] : member(saved, "batches").items()) load_batch(name, batch, *m);
    for (const auto& [name, child] : member(saved, "children").items()) load_child(name, child, *m);
    return m;
  }

 private:
  static constexpr const char* moved = "has moved, or other states are inside it";

  [[noreturn]] static void misfit(const Machine& machine, const std::string& name,
                                  const std::string& what) {
    throw Error("the saved run does not fit the workflow: in machine '" + machine.name +
                    "' the state '" + name + "' " + what,
                "resume it with the sources that it was recorded with");
  }

  static StateId state(const Machine& machine, const Json& name) {
    const auto& text = name.get_ref<const std::string&>();
    const StateId id = machine.find(text);
    if (id == model::none) misfit(machine, text, "is gone");
    return id;
  }

  // The states may have been moved in the file: are those that were active a configuration?
  static void check_legal(const MachineInstance& m) {
    const Machine& machine = m.machine();
    // Innermost first, where the one that was moved is met before those around it.
    StateId s = machine.state(0).last + 1;
    while ((s = m.active.previous(s)) != model::none) {
      const State& state = machine.state(s);
      const auto active =
          std::ranges::count_if(state.children, [&](StateId child) { return m.active.has(child); });
      const auto regions = std::ranges::count_if(
          state.children, [&](StateId child) { return !is_history(machine.state(child)); });
      const bool legal = (s == 0 || m.active.has(state.parent)) && !is_history(state) &&
                         (state.kind != StateKind::compound || active == 1) &&
                         (state.kind != StateKind::parallel || active == regions);
      if (!legal) misfit(machine, state.name, moved);
    }
  }

  static void load_history(const Json& saved, MachineInstance& m) {
    const Machine& machine = m.machine();
    for (const auto& [name, states] : saved.items()) {
      Remembered remembered{state(machine, name), {}};
      const State& history = machine.state(remembered.history);
      if (!is_history(history)) misfit(machine, name, "is not a history state any more");
      StateSet entered(machine.states.size());
      for (const Json& member : states) {
        const StateId s = state(machine, member);
        if (!machine.is_descendant(s, history.parent)) misfit(machine, member, moved);
        remembered.states.push_back(s);
        add_branch(machine, s, history.parent, entered);
      }
      m.history.push_back(std::move(remembered));
    }
  }

  // Adds `s` and what is between it and `top`, or the states added before. A compound has room for
  // one branch.
  static void add_branch(const Machine& machine, StateId s, StateId top, StateSet& entered) {
    StateId root = s;
    const auto around = [&] { return machine.state(root).parent; };
    while (around() != top && !entered.has(around())) root = around();
    const State& fork = machine.state(around());
    if (fork.kind == StateKind::compound && entered.any_below(fork.id, fork.last)) {
      misfit(machine, machine.state(s).name, moved);
    }
    for (StateId b = s; b != fork.id; b = machine.state(b).parent) entered.add(b);
  }

  static void load_outstanding(const Json& saved, MachineInstance& m) {
    const Machine& machine = m.machine();
    for (const Json& name : member(saved, "running")) {
      const StateId s = state(machine, name);
      if (!machine.state(s).has_activity()) misfit(machine, name, "has no activity any more");
      m.running.add(s);
    }
    for (const Json& timer : member(saved, "timers")) {
      const StateId s = timer.at("state").is_null() ? 0 : state(machine, timer.at("state"));
      const auto number = timer.at("number").get<std::uint32_t>();
      if (number == 0 || number > machine.state(s).after.size()) {
        misfit(machine, machine.state(s).name,
               "has no timer " + std::to_string(number) + " any more");
      }
      m.pending.timers.push_back({s, number - 1});
    }
    for (const Json& send : member(saved, "sends")) {
      m.pending.sends.push_back(
          {send.at("id"), send.at("event"), send.at("data"), recipient(send, machine)});
    }
    m.pending.sends_made = saved.at("sends_made");
  }

  // Nobody else, in what was saved before events could leave a machine.
  static Recipient recipient(const Json& saved, const Machine& machine) {
    Recipient to;
    const Json& name = member(saved, "to");
    if (name.is_null()) return to;
    to.parent = name == to_parent;
    if (to.parent) return to;
    to.state = state(machine, name);
    if (!model::delegate_of(machine.state(to.state).activity)) {
      misfit(machine, name, "does not delegate to a machine any more");
    }
    to.item = saved.value("item", 0U);
    return to;
  }

  static void load_batch(const std::string& name, const Json& saved, MachineInstance& m) {
    Batch batch{.state = state(m.machine(), name)};
    const auto* loop = std::get_if<model::ForEach>(&m.machine().state(batch.state).activity);
    if (!loop) misfit(m.machine(), name, "has no for_each any more");
    // Older versions saved no counts.
    batch.needed = saved.value("needed", static_cast<std::uint32_t>(loop->needed.number));
    batch.max_parallel =
        saved.value("max_parallel", static_cast<std::uint32_t>(loop->max_parallel.number));
    batch.started = saved.at("started");
    for (const Json& item : saved.at("items")) {
      using Phase = BatchItem::Phase;
      BatchItem loaded{Phase::running, item.value("inputs", Json()), item.value("result", Json())};
      const bool begun = batch.items.size() < batch.started;
      if (!loaded.inputs.is_null()) loaded.phase = begun ? Phase::opening : Phase::waiting;
      if (!loaded.result.is_null()) {
        loaded.phase = Phase::ended;
        ++(loaded.result.at("status") == "complete" ? batch.completed : batch.failed);
      }
      batch.items.push_back(std::move(loaded));
    }
    if (batch.started > batch.items.size()) throw damaged("for_each " + name);
    m.batches.push_back(std::move(batch));
  }

  // `name`: "STATE", or "STATE[ITEM]".
  void load_child(const std::string& name, const Json& saved, MachineInstance& m) {
    const Machine& machine = m.machine();
    const auto path = Path::parse(name);
    if (!path || path->parts.size() != 1) throw damaged("child " + name);
    const Path::Part& part = path->parts.front();
    const StateId s = state(machine, part.name);
    const auto* to = model::delegate_of(machine.state(s).activity);
    if (!to) misfit(machine, machine.state(s).name, "does not delegate to a machine any more");
    if (part.item == 0 && std::holds_alternative<model::ForEach>(machine.state(s).activity)) {
      misfit(machine, machine.state(s).name, "delegated to one machine, not for each item");
    }
    const Batch* batch = m.batch_of(s);
    if (part.item > 0 && (!batch || part.item > batch->items.size())) {
      throw damaged("child " + name);
    }
    m.adopt(load(saved, tree_.chart.tables[to->machine], &m, s, part.item));
  }

  static void load_queued(const Json& saved, MachineInstance& m) {
    Queued queued;
    queued.order = saved.at("order");
    queued.event = {Event::Kind::queued, saved.at("event"), member(saved, "data"),
                    saved.value("path", "")};
    queued.id = saved.at("id");
    queued.to = recipient(saved, m.machine());
    queued.event.origin = saved.value("origin", "");
    if (!queued.to.is_other()) queued.event.item = saved.value("item", 0U);
    if (saved.contains("owner")) {
      queued.event.kind = Event::Kind::outcome;
      queued.owner = state(m.machine(), saved.at("owner"));
      queued.entry = m.entries[queued.owner];
    }
    m.pending.addressed += queued.owner != model::none;
    m.pending.queue.push_back(std::move(queued));
  }

  Instance::Impl& tree_;
};

}  // namespace

Json Instance::save() const {
  Json saved = Json::object();
  Json& run = saved["run"] = Json::object();
  run["id"] = impl_->run.id;
  run["interactive"] = impl_->run.interactive;
  run["auto_merge"] = impl_->run.auto_merge;
  saved["arrivals"] = impl_->arrivals;
  saved["finished"] = impl_->finished;
  saved["root"] = impl_->root ? chart::save(*impl_->root, impl_->chart.evaluator) : Json();
  return saved;
}

std::unique_ptr<Instance::Impl> Instance::load(const Chart::Impl& chart, const Json& saved) {
  try {
    const Json& run = saved.at("run");
    auto tree = std::make_unique<Impl>(
        chart, RunInfo{run.at("id"), run.at("interactive"), run.at("auto_merge")});
    tree->arrivals = saved.at("arrivals");
    tree->finished = saved.at("finished");
    const Json& root = saved.at("root");
    if (!root.is_null()) {
      tree->root = Loader(*tree).load(root, chart.tables[0], nullptr, model::none);
    }
    return tree;
  } catch (const Json::exception& error) {
    throw damaged(error.what());
  }
}

Instance Instance::restore(const Chart& chart, const Json& saved) {
  return Instance(load(chart.impl(), saved));
}

void Instance::put_back(const Json& saved) {
  impl_ = load(impl_->chart, saved);
}

}  // namespace agneto::chart
