#include "record/entry.h"

#include <fmt/format.h>

#include "record/json_fields.h"

namespace agneto {

template <>
inline constexpr std::array enum_names<chart::Event::Kind>{"external", "outcome", "timer",
                                                           "queued"};

void fields(auto& field, Of<chart::Event> auto& event) {
  field("kind", event.kind);
  field("name", event.name);
  field("data", event.data);
  field.sparse("path", event.path);
  field.sparse("origin", event.origin);
  field.sparse("item", event.item);
}

}  // namespace agneto

namespace agneto::record {

void fields(auto& field, Of<Queued> auto& e) {
  field("by", e.by);
  field.sparse("reason", e.reason);
}

void fields(auto& field, Of<Started> auto& e) {
  field("workflow", e.workflow);
  field("inputs", e.inputs);
}

void fields(auto& field, Of<Macrostep> auto& e) {
  field("handled", e.handled);
  field("event", e.event);
  field("transitions", e.transitions);
  field("effects", e.effects);
  field.sparse("problems", e.problems);
  field.sparse("refused", e.refused);
  field.sparse("caught", e.caught);
}

void fields(auto& field, Of<Said> auto& e) {
  field("attempt", e.attempt);
  field("output", e.output);
}

void fields(auto& field, Of<Process> auto& e) {
  field("pid", e.id.pid);
  field("start_time", e.id.start_time);
}

void fields(auto& field, Of<ProgramCall> auto& e) {
  field("argv", e.argv);
  field.newer("checkpoint", e.checkpoint);
  field.sparse("item", e.item);
  field.sparse("cwd", e.cwd);
}

void fields(auto& field, Of<Answered> auto& e) {
  given_answer_fields(field, e);
}

void fields(auto& field, Of<Instructed> auto& e) {
  field("text", e.text);
}

void fields(auto& field, Of<Sent> auto& e) {
  field("name", e.name);
  field("taken", e.taken);
  field.newer("by", e.by);
}

void fields(auto& field, Of<Noted> auto& e) {
  field("text", e.text);
}

void fields(auto& field, Of<Refused> auto& e) {
  field("kind", e.message);
  field("reason", e.reason);
}

void fields(auto& field, Of<StopAsked> auto& e) {
  field("reason", e.reason);
}

void fields(auto& field, Of<AbortAsked> auto& e) {
  field.newer("reason", e.reason);
}

void fields(auto& field, Of<Suspended> auto& e) {
  field("reason", e.reason);
}

void fields(auto& field, Of<Parked> auto& e) {
  field("reason", e.reason);
}

void fields(auto& field, Of<Resumed> auto& e) {
  field.sparse("notes", e.notes);
}

void fields(auto& field, Of<Rewound> auto& e) {
  field("to", e.to);
}

void fields(auto& field, Of<Forked> auto& e) {
  field("run", e.run);
  field("at", e.at);
}

void fields(auto& field, Of<Restored> auto& e) {
  field.newer("kept", e.kept);
}

void fields(auto& field, Of<Migrated> auto& e) {
  field("format", e.format);
}

Json to_json(const Transition& transition) {
  return to_fields(transition);
}

std::string_view Entry::kind() const {
  return kind_in(body);
}

Json body_json(const Body& body) {
  return std::visit([](const auto& each) { return to_fields(each); }, body);
}

journal::Entry encode(const Entry& entry) {
  journal::Entry encoded{
      entry.seq,   entry.time, std::string(entry.kind()), entry.path, body_json(entry.body),
      entry.stands};
  if (entry.message > 0) encoded.body["message"] = entry.message;
  return encoded;
}

std::vector<journal::Entry> encode(const std::vector<Entry>& entries) {
  std::vector<journal::Entry> encoded;
  for (const auto& entry : entries) encoded.push_back(encode(entry));
  return encoded;
}

Entry decode(const journal::Entry& entry) {
  Entry decoded{entry.seq, entry.time, entry.path, {}, entry.stands};
  const auto malformed = [&](const std::string& why) {
    return Malformed(
        fmt::format("entry {} ({}) of the journal cannot be read: {}", entry.seq, entry.kind, why));
  };
  if (!become(decoded.body, entry.kind)) throw malformed("this version does not know its kind");
  try {
    std::visit([&](auto& body) { from_fields(entry.body, body); }, decoded.body);
    decoded.message = entry.body.value("message", journal::MessageId{0});
  } catch (const Error& error) {
    throw malformed(error.what());
  } catch (const Json::exception& error) {
    throw malformed(error.what());
  }
  return decoded;
}

std::vector<Entry> decode(const std::vector<journal::Entry>& entries) {
  std::vector<Entry> decoded;
  decoded.reserve(entries.size());
  for (const auto& entry : entries) decoded.push_back(decode(entry));
  return decoded;
}

Transition transition_of(const chart::Effects::Taken& taken, const model::System& system) {
  const auto& machine = system.machine(taken.machine);
  const auto& transition = machine.transitions[taken.transition];
  Transition named{taken.instance,
                   taken.event,
                   machine.state(transition.source).name,
                   {},
                   static_cast<int>(transition.span.line()),
                   taken.origin,
                   taken.item};
  for (const auto target : transition.targets) named.to.push_back(machine.state(target).name);
  return named;
}

Macrostep macrostep_of(const chart::Event* event, const chart::Effects& out,
                       const model::System& system) {
  Macrostep step;
  step.handled = out.handled;
  if (event) {
    step.event = {event->kind, out.event, event->data, event->path, out.origin, out.item};
  }
  for (const auto& taken : out.transitions) {
    step.transitions.push_back(transition_of(taken, system));
  }
  for (const auto& effect : out.effects) step.effects.push_back(chart::named(effect, system));
  const auto named = [](const std::vector<chart::Effects::Problem>& problems) {
    std::vector<Problem> all;
    for (const auto& [path, name, message] : problems) all.push_back({path, name, message});
    return all;
  };
  step.problems = named(out.problems);
  step.refused = named(out.refused);
  step.caught = named(out.caught);
  return step;
}

}  // namespace agneto::record
