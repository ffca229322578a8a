// Running a machine's code, and what code can ask for.
#include <algorithm>

#include "chart/interpreter.h"
#include "model/outcomes.h"

namespace agneto::chart {

using model::CodeId;
using model::Machine;
using model::StateId;

std::string to_text(const Fault& fault) {
  if (!fault.span) return fault.message;
  // Lua names the very line of a block that failed; the span is the whole block.
  const std::string file = fault.span.source->path() + ":";
  if (fault.message.starts_with(file)) return fault.message;
  return file + std::to_string(fault.span.line()) + ": " + fault.message;
}

std::string as_text(const Json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? value.get<std::string>() : agneto::to_text(value);
}

// An error ends its own block only.
void Interpreter::run_blocks(MachineInstance& m, const std::vector<CodeId>& blocks, StateId state) {
  if (blocks.empty()) return;
  if (!m.data_marked) {
    evaluator_.mark(*m.data);
    m.data_marked = true;
  }
  InstanceScope scope(*this, m);
  for (CodeId block : blocks) {
    std::optional<Fault> fault;
    evaluator_.run(*m.data, block, scope, fault);
    if (fault) raise_fault(m, state, *fault);
  }
}

Json Interpreter::value(MachineInstance& m, CodeId code, std::optional<Fault>& fault,
                        const Item* item) {
  InstanceScope scope(*this, m, item);
  return evaluator_.value(*m.data, code, scope, fault);
}

void Interpreter::raise(MachineInstance& m, Event event, bool fault) {
  const EventClass type = m.table->events.of(event.name);
  m.internal.push({std::move(event), type, fault});
}

void Interpreter::raise_fault(MachineInstance& m, StateId state, const Fault& fault) {
  Json data = {{"message", to_text(fault)}, {"state", m.machine().state(state).name}};
  raise(m, {.name = "error.lua", .data = std::move(data), .path = m.path_of(state)}, true);
}

// Tells of an error that no transition took.
void Interpreter::report_fault(const Event& error) {
  const std::string& message = error.data["message"].get_ref<const std::string&>();
  out_.problems.push_back({error.path, error.name, message});
  out_.effects.push_back(Suspend{error.path, message});
}

void Interpreter::note_caught(const Event& error) {
  out_.caught.push_back({error.path, error.name, error.data["message"]});
}

bool Interpreter::takes(const Json& data) {
  if (data.is_null()) return true;
  const std::size_t size = size_of(data);
  if (size > max_sent_size - sent_size_) return false;
  sent_size_ += size;
  return true;
}

namespace {

// Has the machine as many events that wait as it may, from itself or from those inside it?
bool is_full(const MachineInstance& m, bool from_inside) {
  const std::deque<Queued>& queue = m.pending.queue;
  if (queue.size() - m.pending.addressed < max_sent) return false;
  const auto count = std::ranges::count_if(queue, [&](const Queued& queued) {
    return queued.owner == model::none && queued.event.origin.empty() != from_inside;
  });
  return static_cast<std::size_t>(count) >= max_sent;
}

}  // namespace

// Only an activity may tell its own result, so that no other machine can make one at work seem
// done.
bool Interpreter::is_reserved(const MachineInstance& m, const Outgoing& sent) const {
  if (model::is_engines(sent.event)) return true;
  const Machine* to = nullptr;
  if (sent.to == to_parent) {
    if (m.parent) to = &m.parent->machine();
  } else {
    const auto& activity = m.machine().state(m.machine().find(sent.to)).activity;
    to = &tree_.chart.system.machine(model::delegate_of(activity)->machine);
  }
  return to && model::ends_in(*to, sent.event, tree_.chart.system);
}

Sent Interpreter::send(MachineInstance& m, Outgoing sent) {
  Recipient to;
  if (!sent.to.empty()) {
    if (is_reserved(m, sent)) return Sent::reserved;
    to.parent = sent.to == to_parent;
    if (!to.parent) to.state = m.machine().find(sent.to);
    to.item = sent.item;
  }
  if (!takes(sent.data)) return Sent::too_much;
  if (sent.after <= Millis{0}) {
    if (is_full(m, false) || (to.parent && m.parent && is_full(*m.parent, true))) {
      return Sent::too_many;
    }
    Event event{.kind = Event::Kind::queued,
                .name = std::move(sent.event),
                .data = std::move(sent.data),
                .path = m.path};
    m.change_pending().queue.push_back(
        {.order = tree_.arrivals++, .event = std::move(event), .id = std::move(sent.id), .to = to});
    return Sent::yes;
  }
  if (m.pending.sends.size() >= max_sent) return Sent::too_many;
  if (sent.id.empty()) {
    sent.id = "#" + std::to_string(++m.change_pending().sends_made);
  } else {
    cancel_send(m, sent.id);
  }
  auto& sends = m.change_pending().sends;
  sends.push_back({std::move(sent.id), std::move(sent.event), std::move(sent.data), to});
  out_.effects.push_back(StartTimer{m.path_of(sends.back()), sent.after, false});
  return Sent::yes;
}

void Interpreter::cancel_send(MachineInstance& m, const std::string& id) {
  if (id.empty()) return;
  Pending& pending = m.change_pending();
  std::erase_if(pending.queue, [&](const Queued& queued) { return queued.id == id; });
  std::erase_if(pending.sends, [&](const Send& send) {
    if (send.id != id) return false;
    out_.effects.push_back(Cancel{m.path_of(send)});
    return true;
  });
}

}  // namespace agneto::chart
