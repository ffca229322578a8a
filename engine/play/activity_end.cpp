#include "play/activity_end.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "chart/effect.h"
#include "chart/path.h"
#include "script/hook_data.h"
#include "script/verdicts.h"

namespace agneto::play {

namespace {

// A reply without a usable verdict is asked for again, as in a run.
constexpr std::size_t most_replies = 3;

// What an outcome of it is.
const char* kind_of_outcome(const chart::Effect& effect, const model::System& system) {
  if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
    return chart::activity_of(*call, system).verdicts.empty() ? "the end of a call without verdicts"
                                                              : "a verdict of this call";
  }
  if (const auto* ask = std::get_if<chart::AskHuman>(&effect)) {
    return ask->options.empty() ? "the end of a question for words" : "an option of this question";
  }
  if (const auto* delegate = std::get_if<chart::RunMachine>(&effect)) {
    return delegate->inputs.is_array() ? "the end of a for_each" : "an outcome of that machine";
  }
  return std::holds_alternative<chart::RunCommand>(effect) ? "the end of a command"
                                                           : "the end of a workspace operation";
}

std::optional<chart::Refusal> objection_to_verdict(const std::vector<model::Verdict>& declared,
                                                   const std::string& event, Json& data) {
  std::optional<script::VerdictReply> verdict = script::VerdictReply{event, data};
  if (auto problem = script::problem_with(declared, verdict)) {
    return chart::Refusal{*problem, "give an agent's fields under 'data'"};
  }
  if (!data.is_object() && !data.is_null()) {
    return chart::Refusal{
        "the data of " + event + " is " + shortened(to_text(data), 60) + ", not its fields",
        "give an agent's fields under 'data', as {NAME: VALUE}"};
  }
  std::vector<std::string> fields;
  for (const auto& [field, ignored] : verdict->fields.items()) fields.push_back(field);
  for (const auto& [key, value] : data.items()) {
    if (verdict->fields.contains(key)) continue;
    return chart::Refusal{event + " has no field '" + key + "'", suggestion(key, fields, "fields")};
  }
  data = std::move(verdict->fields);
  return std::nullopt;
}

// The fields of an outcome that is the engine's own; null: of an error.
Json usual_data(const std::string& event, const model::Outcome* outcome) {
  if (!outcome) return {{"message", "it failed"}};
  Json data = Json::object();
  if (outcome->what != "outcome" || outcome->related) return data;
  const bool good = event == "ok" || event == "done";
  for (const model::Field& field : outcome->fields) {
    Json& value = data[field.name] = "";
    if (field.type.kind == model::Type::Kind::list) value = Json::array();
    if (field.name == "status") value = good ? 0 : 1;
    if (field.name == "commit" && good) value = "c0ffee";
    if (field.name == "message" && !good) value = "it failed";
  }
  if (data.contains("status")) data["message"] = good ? "exit status 0" : "exit status 1";
  return data;
}

ActivityEnd unparsed(const std::string& agent, const std::string& problem, std::size_t replies,
                     const std::string& reply) {
  const std::string message = "agent '" + agent + "' gave no usable verdict in " +
                              std::to_string(replies) + " replies; of the last: " + problem;
  return {"error.unparsed", {{"message", message}, {"attempts", replies}, {"reply", reply}}};
}

}  // namespace

std::vector<model::Outcome> outcomes_of(const chart::Effect& effect, const model::System& system) {
  const auto path = chart::Path::parse(chart::path_of(effect));
  const auto at = path ? chart::state_at(system, *path) : std::nullopt;
  if (!at) return {};
  auto all = model::outcomes(system.machine(at->machine).state(at->state), system);
  if (const auto* ask = std::get_if<chart::AskHuman>(&effect); ask && !ask->options.empty()) {
    std::erase_if(all, [&](const auto& outcome) { return !find_option(*ask, outcome.name); });
  }
  return all;
}

std::optional<chart::Refusal> objection_to(const chart::Effect& effect, const std::string& event,
                                           Json& data, const model::System& system) {
  if (model::is_error(event)) return objection_to_error(event, system);
  std::vector<std::string> names;
  for (const auto& outcome : outcomes_of(effect, system)) names.push_back(outcome.name);
  if (std::find(names.begin(), names.end(), event) == names.end()) {
    return chart::Refusal{"'" + event + "' is not " + kind_of_outcome(effect, system),
                          suggestion(event, names, "ends")};
  }
  const auto* call = std::get_if<chart::CallAgent>(&effect);
  if (!call || chart::activity_of(*call, system).verdicts.empty()) return std::nullopt;
  return objection_to_verdict(chart::activity_of(*call, system).verdicts, event, data);
}

std::optional<chart::Refusal> objection_to_error(const std::string& event,
                                                 const model::System& system) {
  if (model::is_known_error(event, system)) return std::nullopt;
  constexpr std::string_view prefix = "error.";
  std::vector<std::string> kinds;
  for (const std::string& error : model::engine_errors()) {
    kinds.push_back(error.substr(prefix.size()));
  }
  const std::string near = closest(event.substr(prefix.size()), kinds);
  return chart::Refusal{"no activity ends in '" + event + "'",
                        near.empty() ? "known errors: " + join(model::engine_errors(), ", ")
                                     : "did you mean 'error." + near + "'?"};
}

ActivityEnd end_of(const chart::Effect& effect, const std::string& event, const Json& data,
                   const model::System& system) {
  const auto outcomes = outcomes_of(effect, system);
  const auto* outcome = model::find(outcomes, event);
  Json whole = outcome || model::is_error(event) ? usual_data(event, outcome) : Json::object();
  if (data.is_object()) {
    whole.update(data);
  } else if (!data.is_null()) {
    whole = data;
  }
  if (const auto objection = objection_to(effect, event, whole, system)) {
    throw Error(objection->problem, objection->help);
  }
  return {event, std::move(whole)};
}

ActivityEnd end_of(const chart::AskHuman& question, const chart::Answer& answer,
                   const chart::AnswerForms& forms, const std::string& by) {
  if (const auto refused = chart::refusal(question, answer, forms)) {
    throw Error(refused->problem, refused->help);
  }
  return {chart::outcome_of(question, answer), chart::data_of(question, answer, by)};
}

ReadReply read_reply(const chart::CallAgent& call, const std::string& reply, std::size_t number,
                     script::Hooks& hooks, const model::System& system,
                     const chart::Instance& instance) {
  const model::AgentCall& activity = activity_of(call, system);
  if (activity.verdicts.empty()) return {ActivityEnd{"done", {{"reply", reply}}}, {}};
  const model::Agent& agent = agent_of(call, system);
  try {
    auto read =
        hooks.parse(agent.hooks, activity.task, reply,
                    script::hook_data(call, system, instance, number), script::empty_workspace);
    const auto problem = script::problem_with(activity.verdicts, read);
    if (!problem) return {ActivityEnd{read->name, std::move(read->fields)}, {}};
    if (number < most_replies) return {std::nullopt, *problem};
    return {unparsed(agent.name, *problem, number, reply), *problem};
  } catch (const script::HookError& error) {
    return {ActivityEnd{"error.lua", {{"message", error.what()}, {"attempts", number}}}, {}};
  }
}

}  // namespace agneto::play
