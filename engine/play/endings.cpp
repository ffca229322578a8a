#include "play/endings.h"

#include <algorithm>

#include "base/text.h"
#include "chart/called.h"
#include "model/errors.h"
#include "script/verdicts.h"

namespace agneto::play {

namespace {

std::vector<Outcome> named(std::initializer_list<const char*> names) {
  std::vector<Outcome> outcomes;
  for (const char* name : names) outcomes.push_back({name, {}});
  return outcomes;
}

std::vector<Outcome> outcomes_of(const model::Machine& machine) {
  std::vector<Outcome> outcomes;
  for (const model::StateId id : machine.state(0).children) {
    const model::State& state = machine.state(id);
    const auto same = [&](const Outcome& other) { return other.name == state.outcome; };
    if (state.kind != model::StateKind::final) continue;
    if (std::none_of(outcomes.begin(), outcomes.end(), same)) {
      outcomes.push_back({state.outcome, {}});
    }
  }
  return outcomes;
}

// What an outcome of it is.
std::string kind_of_outcome(const chart::Effect& effect, const model::System& system) {
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
  if (std::holds_alternative<chart::RunCommand>(effect)) return "the end of a command";
  return "the end of a workspace operation";
}

std::optional<Objection> objection_to_verdict(const std::vector<model::Verdict>& declared,
                                              const std::string& event, Json& data) {
  std::optional<script::VerdictReply> verdict = script::VerdictReply{event, data};
  if (auto problem = script::problem_with(declared, verdict)) {
    return Objection{*problem, "give an agent's fields under 'data'"};
  }
  if (!data.is_object() && !data.is_null()) {
    return Objection{
        "the data of " + event + " is " + shortened(to_text(data), 60) + ", not its fields",
        "give an agent's fields under 'data', as {NAME: VALUE}"};
  }
  std::vector<std::string> fields;
  for (const auto& [field, ignored] : verdict->fields.items()) fields.push_back(field);
  for (const auto& [key, value] : data.items()) {
    if (verdict->fields.contains(key)) continue;
    return Objection{event + " has no field '" + key + "'", suggestion(key, fields, "fields")};
  }
  data = std::move(verdict->fields);
  return std::nullopt;
}

}  // namespace

std::vector<Outcome> outcomes_of(const chart::Effect& effect, const model::System& system) {
  if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
    std::vector<Outcome> outcomes;
    for (const auto& verdict : chart::activity_of(*call, system).verdicts) {
      outcomes.push_back({verdict.name, verdict.fields});
    }
    return outcomes.empty() ? named({"done"}) : outcomes;
  }
  if (const auto* ask = std::get_if<chart::AskHuman>(&effect)) {
    std::vector<Outcome> outcomes;
    for (const auto& option : ask->options) outcomes.push_back({option.name, {}});
    return outcomes.empty() ? named({"answered"}) : outcomes;
  }
  if (const auto* git = std::get_if<chart::GitOperation>(&effect)) {
    const bool merges = git->kind == model::WorkspaceOperation::Kind::merge;
    return merges ? named({"ok", "failed", "conflict"}) : named({"ok", "failed"});
  }
  if (const auto* delegate = std::get_if<chart::RunMachine>(&effect)) {
    if (delegate->inputs.is_array()) return named({"done", "failed"});
    return outcomes_of(system.machine(delegate->machine));
  }
  if (std::holds_alternative<chart::JoinWorkspaces>(effect)) return named({"ok"});
  return named({"ok", "failed"});
}

std::optional<Objection> objection_to(const chart::Effect& effect, const std::string& event,
                                      Json& data, const model::System& system) {
  if (model::is_error(event)) return objection_to_error(event, system);
  std::vector<std::string> names;
  for (const Outcome& outcome : outcomes_of(effect, system)) names.push_back(outcome.name);
  if (std::find(names.begin(), names.end(), event) == names.end()) {
    return Objection{"'" + event + "' is not " + kind_of_outcome(effect, system),
                     suggestion(event, names, "ends")};
  }
  const auto* call = std::get_if<chart::CallAgent>(&effect);
  if (!call || chart::activity_of(*call, system).verdicts.empty()) return std::nullopt;
  return objection_to_verdict(chart::activity_of(*call, system).verdicts, event, data);
}

std::optional<Objection> objection_to_error(const std::string& event, const model::System& system) {
  if (model::is_known_error(event, system)) return std::nullopt;
  constexpr std::string_view prefix = "error.";
  std::vector<std::string> kinds;
  for (const std::string& error : model::engine_errors()) {
    kinds.push_back(error.substr(prefix.size()));
  }
  const std::string near = closest(event.substr(prefix.size()), kinds);
  return Objection{"no activity ends in '" + event + "'",
                   near.empty() ? "known errors: " + join(model::engine_errors(), ", ")
                                : "did you mean 'error." + near + "'?"};
}

}  // namespace agneto::play
