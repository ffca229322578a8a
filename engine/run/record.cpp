#include "run/record.h"

namespace agneto::run {
namespace {

const char* kind_of(const chart::Event& event) {
  switch (event.kind) {
    case chart::Event::Kind::external:
      return "external";
    case chart::Event::Kind::outcome:
      return "outcome";
    case chart::Event::Kind::timer:
      return "timer";
    case chart::Event::Kind::queued:
      return "queued";
  }
  return "";
}

}  // namespace

Json describe(const chart::Effects::Taken& taken, const model::System& system) {
  const auto& machine = system.machine(taken.machine);
  const auto& transition = machine.transitions[taken.transition];
  Json targets = Json::array();
  for (auto target : transition.targets) targets.push_back(machine.state(target).name);
  Json json = Json::object();
  json["event"] = taken.event;
  json["from"] = machine.state(transition.source).name;
  json["to"] = std::move(targets);
  json["line"] = transition.span.line();
  return json;
}

Json describe(const chart::Effects::Moved& moved, const model::System& system) {
  const auto& state = system.machine(moved.machine).state(moved.state);
  Json json = Json::object();
  json["state"] = state.name;
  json["stage"] = moved.instance.empty() && state.parent == 0;
  return json;
}

Json macrostep_entry(const chart::Event* event, const chart::Effects& out,
                     const model::System& system) {
  Json json = Json::object();
  json["handled"] = out.handled;
  Json& cause = json["event"] = nullptr;
  if (event) {
    cause["kind"] = kind_of(*event);
    cause["name"] = out.event;
    cause["data"] = event->data;
    if (!event->path.empty()) cause["path"] = event->path;
  }
  Json transitions = Json::array(), effects = Json::array(), problems = Json::array();
  for (const auto& taken : out.transitions) {
    transitions.push_back(describe(taken, system));
    transitions.back()["instance"] = taken.instance;
  }
  for (const auto& effect : out.effects) effects.push_back(chart::to_json(effect, system));
  for (const auto& problem : out.problems) {
    problems.push_back(
        {{"path", problem.path}, {"event", problem.event}, {"message", problem.message}});
  }
  json["transitions"] = std::move(transitions);
  json["effects"] = std::move(effects);
  if (!problems.empty()) json["problems"] = std::move(problems);
  return json;
}

Json to_json(const agents::PromptRecord& record) {
  Json json = {{"attempt", record.attempt}, {"provider", record.provider},
               {"model", record.model},     {"session", record.session},
               {"text", record.text},       {"checkpoint", record.checkpoint}};
  if (!record.problem.empty()) json["problem"] = record.problem;
  if (!record.follows.empty()) json["follows"] = record.follows;
  return json;
}

agents::PromptRecord prompt_record(const Json& json) {
  agents::PromptRecord record;
  record.attempt = json.at("attempt");
  record.provider = json.at("provider");
  record.model = json.at("model");
  record.session = json.at("session");
  record.checkpoint = json.at("checkpoint");
  record.text = json.at("text");
  record.problem = json.value("problem", "");
  return record;
}

Json to_json(const agents::ReplyRecord& record) {
  Json json = {{"attempt", record.attempt},
               {"text", record.text},
               {"error", record.error},
               {"event", record.event},
               {"session", record.session},
               {"cost", record.usage.cost},
               {"input_tokens", record.usage.input_tokens},
               {"output_tokens", record.usage.output_tokens},
               {"ms", record.duration.count()}};
  for (const auto& output : record.output) {
    json["output"].push_back({output.at.count(), output.kind, output.text});
  }
  return json;
}

agents::ReplyRecord reply_record(const Json& json) {
  agents::ReplyRecord record;
  record.attempt = json.at("attempt");
  record.text = json.at("text");
  record.error = json.at("error");
  record.event = json.at("event");
  record.session = json.at("session");
  record.usage.cost = json.at("cost");
  record.usage.input_tokens = json.at("input_tokens");
  record.usage.output_tokens = json.at("output_tokens");
  record.duration = Millis(json.at("ms").get<std::int64_t>());
  for (const auto& output : json.value("output", Json::array())) {
    record.output.push_back({Millis(output.at(0).get<std::int64_t>()), output.at(1), output.at(2)});
  }
  return record;
}

Json to_json(const Answer& answer, const std::string& by) {
  Json json = {{"option", answer.option}, {"feedback", answer.feedback}, {"by", by}};
  if (answer.edited) json["edited"] = *answer.edited;
  return json;
}

}  // namespace agneto::run
