#include "chart/snapshot.h"

#include "base/varint.h"
#include "chart/interpreter.h"

namespace agneto::chart {

using model::StateId;

namespace {

constexpr unsigned interactive = 1;
constexpr unsigned auto_merge = 2;
constexpr unsigned finished = 4;

void put(std::string& out, const StateSet& states) {
  for (StateId s = states.next(1); s != model::none; s = states.next(s + 1)) put_varint(out, s);
  put_varint(out, 0);
}

void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out += text;
}

void put_json(std::string& out, const Json& data) {
  put_text(out, data.is_null() ? std::string() : data.dump());
}

void take(std::string_view& bytes, StateSet& states) {
  while (const auto s = take_varint(bytes)) states.add(static_cast<StateId>(s));
}

std::string take_text(std::string_view& bytes) {
  const auto size = take_varint(bytes);
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

Json take_json(std::string_view& bytes) {
  const std::string text = take_text(bytes);
  return text.empty() ? Json() : Json::parse(text);
}

void put(std::string& out, const Recipient& to) {
  put_varint(out, to.parent ? 1 : to.is_other() ? 1 + to.state : 0);
  if (to.state != model::none) put_varint(out, to.item);
}

Recipient take_recipient(std::string_view& bytes) {
  Recipient to;
  const auto number = take_varint(bytes);
  to.parent = number == 1;
  if (number <= 1) return to;
  to.state = static_cast<StateId>(number - 1);
  to.item = static_cast<std::uint32_t>(take_varint(bytes));
  return to;
}

void put(std::string& out, const Pending& pending) {
  put_varint(out, pending.timers.size());
  for (const PendingTimer& timer : pending.timers) {
    put_varint(out, timer.state);
    put_varint(out, timer.number);
  }
  put_varint(out, pending.sends.size());
  for (const Send& send : pending.sends) {
    put_text(out, send.id);
    put_text(out, send.name);
    put_json(out, send.data);
    put(out, send.to);
  }
  // Names of sends without an id are numbered.
  if (!pending.sends.empty()) put_varint(out, pending.sends_made);
  put_varint(out, pending.queue.size());
  for (const Queued& queued : pending.queue) {
    put_varint(out, queued.owner == model::none ? 0 : queued.owner);
    put_text(out, queued.event.name);
    put_json(out, queued.event.data);
    put_text(out, queued.id);
    put(out, queued.to);
  }
}

void take(std::string_view& bytes, Instance::Impl& tree, MachineInstance& m) {
  Pending& pending = m.pending;
  pending.timers.resize(take_varint(bytes));
  for (PendingTimer& timer : pending.timers) {
    timer.state = static_cast<StateId>(take_varint(bytes));
    timer.number = static_cast<std::uint32_t>(take_varint(bytes));
  }
  pending.sends.resize(take_varint(bytes));
  for (Send& send : pending.sends) {
    send.id = take_text(bytes);
    send.name = take_text(bytes);
    send.data = take_json(bytes);
    send.to = take_recipient(bytes);
  }
  if (!pending.sends.empty()) {
    pending.sends_made = static_cast<std::uint32_t>(take_varint(bytes));
  }
  pending.queue.resize(take_varint(bytes));
  for (Queued& queued : pending.queue) {
    queued.order = tree.arrivals++;
    if (const auto owner = take_varint(bytes)) {
      queued.owner = static_cast<StateId>(owner);
      queued.entry = 1;
      queued.event.kind = Event::Kind::outcome;
      queued.event.path = m.path_of(queued.owner);
      ++pending.addressed;
    } else {
      queued.event.kind = Event::Kind::queued;
    }
    queued.event.name = take_text(bytes);
    queued.event.data = take_json(bytes);
    queued.id = take_text(bytes);
    queued.to = take_recipient(bytes);
  }
}

}  // namespace

std::string pack(const Instance& instance, const Packer& packer) {
  const Instance::Impl& tree = instance.impl();
  const MachineInstance& m = *tree.root;
  std::string out;
  out.push_back(static_cast<char>((tree.run.interactive ? interactive : 0U) |
                                  (tree.run.auto_merge ? auto_merge : 0U) |
                                  (tree.finished ? finished : 0U)));
  packer.pack(*m.data, out);
  if (tree.finished) {
    for (const ActiveState& state : tree.last) put_varint(out, state.state);
    return out;
  }
  put(out, m.active);
  put(out, m.running);
  put(out, m.pending);
  for (const Remembered& remembered : m.history) {
    put_varint(out, remembered.history);
    for (const StateId s : remembered.states) put_varint(out, s);
    put_varint(out, 0);
  }
  return out;
}

Instance unpack(const Chart& chart, std::string_view bytes, const Packer& packer) {
  const auto flags = static_cast<unsigned>(bytes.front());
  bytes.remove_prefix(1);
  Instance instance(chart, RunInfo{"", (flags & interactive) != 0, (flags & auto_merge) != 0});
  Instance::Impl& tree = instance.impl();
  tree.finished = (flags & finished) != 0;
  tree.root = std::make_unique<MachineInstance>(chart.impl().tables[0], nullptr, model::none);
  MachineInstance& m = *tree.root;
  m.data = packer.unpack(bytes);
  if (tree.finished) return instance;
  m.active.add(0);
  m.entries[0] = 1;
  take(bytes, m.active);
  for (StateId s = m.active.next(1); s != model::none; s = m.active.next(s + 1)) m.entries[s] = 1;
  take(bytes, m.running);
  take(bytes, tree, m);
  while (!bytes.empty()) {
    Remembered remembered{static_cast<StateId>(take_varint(bytes)), {}};
    while (const auto s = take_varint(bytes)) {
      remembered.states.push_back(static_cast<StateId>(s));
    }
    m.history.push_back(std::move(remembered));
  }
  return instance;
}

}  // namespace agneto::chart
