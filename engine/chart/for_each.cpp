// One machine for each item of a list.
//
// Items are started and stopped when the step is otherwise done, so that one that ends at once can
// start the next without end.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "chart/interpreter.h"

namespace agneto::chart {

using model::ForEach;
using model::StateId;
using Phase = BatchItem::Phase;

namespace {

const ForEach& loop_of(const MachineInstance& m, StateId s) {
  return std::get<ForEach>(m.machine().state(s).activity);
}

std::size_t needed(const Batch& batch) {
  return batch.needed > 0 ? batch.needed : batch.items.size();
}

// Does it make no difference any more what the other items come to?
bool is_decided(const Batch& batch, const ForEach& loop) {
  const std::size_t count = batch.items.size();
  if (batch.completed >= needed(batch) || batch.completed + batch.failed == count) {
    return true;
  }
  if (loop.stops && batch.failed > 0) return true;
  return batch.needed > 0 && count - batch.failed < batch.needed;
}

Json result(std::string_view outcome, std::string_view status, Json data = {}) {
  return {{"outcome", outcome}, {"status", status}, {"data", std::move(data)}};
}

bool is_complete(const BatchItem& item) {
  return item.phase == Phase::ended && item.result.at("status") == "complete";
}

void end(Batch& batch, std::uint32_t item, Json how) {
  BatchItem& ended = batch.items[item - 1];
  ended.phase = Phase::ended;
  ended.result = std::move(how);
  ended.inputs = nullptr;
  ++(is_complete(ended) ? batch.completed : batch.failed);
}

void note_conflict(Batch& batch, const Json& conflict) {
  if (!conflict.is_object()) return;
  const Json number = conflict.value("item", Json());
  if (!number.is_number_integer() || number < 1 || number > batch.started) return;
  const auto item = number.get<std::uint32_t>();
  if (!is_complete(batch.items[item - 1])) return;
  --batch.completed;
  Json data = {{"branch", conflict.value("branch", Json())},
               {"files", conflict.value("files", Json())}};
  end(batch, item, result("conflict", "failed", std::move(data)));
}

std::string why_failed(const Batch& batch) {
  const std::size_t count = batch.items.size();
  std::string why =
      fmt::format("{} of {} items completed, and {} had to", batch.completed, count, needed(batch));
  for (std::size_t i = 0; i < count; ++i) {
    const Json& how = batch.items[i].result;
    if (how.at("status") != "failed" && how.at("status") != "aborted") continue;
    why += fmt::format("; item {} ended in '{}'", i + 1, how.at("outcome").get<std::string>());
    const Json& cause = member(how.at("data"), "message");
    if (cause.is_string()) why += ": " + cause.get<std::string>();
    break;
  }
  return why;
}

}  // namespace

// All that can be wrong with the items is found before the first of them starts.
void Interpreter::start_batch(MachineInstance& m, StateId s, const ForEach& loop) {
  std::optional<Fault> fault;
  const Json items = value(m, loop.items, fault);
  if (!fault && !items.is_array()) {
    fault = Fault{"'items' must give a list, found " + agneto::to_text(items),
                  m.machine().code[loop.items].span};
  }
  if (fault) return refuse(m, s, "error.lua", to_text(*fault));
  if (m.depth + 1 >= max_depth) {
    return refuse(m, s, "error.livelock",
                  fmt::format("more than {} machines delegate to one another", max_depth));
  }
  Batch batch{.state = s};
  batch.needed = count(m, loop.needed, 1, fault);
  batch.max_parallel = count(m, loop.max_parallel, 0, fault);
  if (fault) return refuse(m, s, "error.lua", to_text(*fault));
  Json all = Json::array();
  for (const Json& value : items) {
    const Item item{value, static_cast<int>(batch.items.size()) + 1};
    std::string why;
    std::optional<Json> inputs = inputs_for(m, loop.each, &item, why);
    if (!inputs) return refuse(m, s, "error.lua", fmt::format("{} (item {})", why, item.number));
    batch.items.push_back({.inputs = std::move(*inputs)});
  }
  if (tree_.chart.options.shallow) {
    for (BatchItem& item : batch.items) all.push_back(std::move(item.inputs));
    m.set_running(s, true);
    out_.effects.push_back(RunMachine{m.path_of(s), loop.each.machine, std::move(all)});
    return;
  }
  m.batches.push_back(std::move(batch));
  tree_.scratch.changed.push_back(m.path_of(s));
}

// A count of a for_each, where it is computed, is at least that; it is not looked at behind a
// fault.
std::uint32_t Interpreter::count(MachineInstance& m, const model::Count& of, int least,
                                 std::optional<Fault>& fault) {
  if (of.code == model::none) return static_cast<std::uint32_t>(of.number);
  if (fault) return 0;
  const Json given = value(m, of.code, fault);
  const bool is_whole = given.is_number() && given.get<double>() == std::trunc(given.get<double>());
  if (is_whole && given >= least && given <= INT32_MAX) {
    return static_cast<std::uint32_t>(given.get<double>());
  }
  const model::Code& code = m.machine().code[of.code];
  if (!fault) {
    fault = Fault{fmt::format("'{}' must give a whole number, {} or more, found {}", code.what,
                              least, agneto::to_text(given)),
                  code.span};
  }
  return 0;
}

// Starts items as far as there is room, until the join is decided.
void Interpreter::advance(MachineInstance& m, StateId s) {
  if (m.running.has(s)) return;
  const ForEach& loop = loop_of(m, s);
  Batch& batch = *m.batch_of(s);
  while (!is_decided(batch, loop)) {
    const std::uint32_t active = batch.started - batch.completed - batch.failed;
    const bool room = batch.max_parallel == 0 || active < batch.max_parallel;
    if (!room || batch.started == batch.items.size()) return;
    start_item(m, batch, loop);
  }
  cancel_items(m, batch);
  join(m, batch, loop);
  commit(m);
}

void Interpreter::start_item(MachineInstance& m, Batch& batch, const ForEach& loop) {
  const std::uint32_t item = ++batch.started;
  if (!loop.own_workspace) return run_item(m, batch, item);
  batch.items[item - 1].phase = Phase::opening;
  out_.effects.push_back(OpenWorkspace{m.path_of(batch.state, item)});
}

void Interpreter::run_item(MachineInstance& m, Batch& batch, std::uint32_t item) {
  std::string message = why_full();
  if (++items_started_ > max_items_started) {
    message = fmt::format("more than {} items start in one step", max_items_started);
  }
  if (!message.empty()) {
    return refuse_item(m, batch, item, "error.livelock", {{"message", message}});
  }
  BatchItem& started = batch.items[item - 1];
  started.phase = Phase::running;
  const Json inputs = std::exchange(started.inputs, nullptr);
  const MachineTable& table = tree_.chart.tables[loop_of(m, batch.state).each.machine];
  start_machine(m.adopt(std::make_unique<MachineInstance>(table, &m, batch.state, item)), inputs);
}

// The item cannot be started. A list of a million that all end so is told as one.
void Interpreter::refuse_item(MachineInstance& m, Batch& batch, std::uint32_t item,
                              const char* error, Json data) {
  const Json& why = member(data, "message");
  Effects::Problem problem{m.path_of(batch.state, item), error, as_text(why)};
  const bool told = !out_.refused.empty() && out_.refused.back().event == problem.event &&
                    out_.refused.back().message == problem.message;
  if (!told) out_.refused.push_back(std::move(problem));
  chart::end(batch, item, result(error, "failed", std::move(data)));
}

void Interpreter::end_item(MachineInstance& m, StateId s, std::uint32_t item, Finish finish) {
  chart::end(*m.batch_of(s), item,
             result(finish.outcome, model::to_text(finish.status), std::move(finish.outputs)));
  tree_.scratch.changed.push_back(m.path_of(s));
}

// Last first, as the states of a machine are left.
void Interpreter::cancel_items(MachineInstance& m, Batch& batch) {
  for (auto item = static_cast<std::uint32_t>(batch.items.size()); item > 0; --item) {
    BatchItem& ended = batch.items[item - 1];
    if (ended.phase == Phase::ended) continue;
    if (ended.phase == Phase::running) cancel(*m.child_of(batch.state, item));
    if (ended.phase == Phase::opening) {
      out_.effects.push_back(Cancel{m.path_of(batch.state, item)});
    }
    const char* const how = ended.phase == Phase::waiting ? "unstarted" : "cancelled";
    ended = {.phase = Phase::ended, .inputs = {}, .result = result(how, how)};
  }
}

void Interpreter::join(MachineInstance& m, Batch& batch, const ForEach& loop) {
  if (!loop.own_workspace || batch.started == 0) return finish_batch(m, batch);
  JoinWorkspaces join{m.path_of(batch.state), batch.started, {}};
  for (std::uint32_t i = 0; i < batch.started; ++i) {
    if (is_complete(batch.items[i])) join.completed.push_back(i + 1);
  }
  m.set_running(batch.state, true);
  out_.effects.push_back(std::move(join));
}

void Interpreter::finish_batch(MachineInstance& m, Batch& batch) {
  const StateId s = batch.state;
  const bool done = batch.completed >= needed(batch);
  Json data = {{"results", Json::array()}};
  if (!done) data["message"] = why_failed(batch);
  for (BatchItem& item : batch.items) data["results"].push_back(std::move(item.result));
  std::erase_if(m.batches, [&](const Batch& other) { return other.state == s; });
  queue_outcome(m, s, m.entries[s], done ? "done" : "failed", std::move(data));
}

// The state is left; its machines have ended.
void Interpreter::drop_batch(MachineInstance& m, StateId s) {
  const Batch& batch = *m.batch_of(s);
  for (std::uint32_t item = batch.started; item > 0; --item) {
    if (batch.items[item - 1].phase == Phase::opening) {
      out_.effects.push_back(Cancel{m.path_of(s, item)});
    }
  }
  if (loop_of(m, s).own_workspace && batch.started > 0) {
    out_.effects.push_back(JoinWorkspaces{m.path_of(s), batch.started, {}});
  }
  std::erase_if(m.change_batches(), [&](const Batch& other) { return other.state == s; });
}

bool Interpreter::deliver_opened(const Address& at, const Event& event) {
  MachineInstance& m = *at.instance;
  Batch* batch = m.batch_of(at.state);
  if (!batch || at.item > batch->started || batch->items[at.item - 1].phase != Phase::opening) {
    return false;
  }
  if (event.name == "ok") {
    run_item(m, *batch, at.item);
  } else {
    refuse_item(m, *batch, at.item, "error.workspace", event.data);
  }
  tree_.scratch.changed.push_back(m.path_of(at.state));
  return true;
}

// A conflict is that item's outcome, and can turn the join's.
bool Interpreter::deliver_joined(MachineInstance& m, Batch& batch, const Event& event) {
  if (event.data.is_object() && event.data.contains("conflicts")) {
    for (const Json& conflict : event.data["conflicts"]) note_conflict(batch, conflict);
  }
  finish_batch(m, batch);
  return true;
}

}  // namespace agneto::chart
