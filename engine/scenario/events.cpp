#include "scenario/events.h"

#include <algorithm>

#include "script/verdict_check.h"

namespace agneto::scenario {

namespace {

bool is_error(const std::string& event) {
  return starts_with_word(event, "error");
}

// What may end the activity, besides errors; none: anything.
struct Endings {
  std::vector<std::string> names;
  std::string what;  // "a verdict of coder"
};

const model::AgentCall& call_of(const chart::CallAgent& effect, const model::System& system) {
  return std::get<model::AgentCall>(system.machine(effect.machine).state(effect.state).activity);
}

Endings declared_endings(const chart::Effect& effect, const model::System& system) {
  if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
    const auto& activity = call_of(*call, system);
    Endings endings{{}, "a verdict of this call"};
    for (const auto& verdict : activity.verdicts) endings.names.push_back(verdict.name);
    if (endings.names.empty()) endings = {{"done"}, "the end of a call without verdicts"};
    return endings;
  }
  if (std::holds_alternative<chart::RunCommand>(effect)) {
    return {{"ok", "failed"}, "the end of a command"};
  }
  if (const auto* git = std::get_if<chart::GitOperation>(&effect)) {
    Endings endings{{"ok", "failed"}, "the end of a workspace operation"};
    if (git->kind == model::WorkspaceOperation::Kind::merge) endings.names.push_back("conflict");
    return endings;
  }
  if (const auto* delegate = std::get_if<chart::RunMachine>(&effect)) {
    if (delegate->inputs.is_array()) return {{"done", "failed"}, "the end of a for_each"};
    Endings endings{{}, "an outcome of that machine"};
    for (const auto& state : system.machine(delegate->machine).states) {
      if (state.kind != model::StateKind::final || state.parent != 0) continue;
      endings.names.push_back(state.outcome);
    }
    return endings;
  }
  return {{}, "the end of this activity"};
}

Json usual_data(const chart::Effect& effect, const std::string& event) {
  if (is_error(event)) return {{"message", "it failed"}};
  if (std::holds_alternative<chart::RunCommand>(effect)) {
    const int status = event == "ok" ? 0 : 1;
    return {
        {"status", status}, {"output", ""}, {"message", "exit status " + std::to_string(status)}};
  }
  if (std::holds_alternative<chart::GitOperation>(effect)) {
    return {{"commit", event == "ok" ? "c0ffee" : ""},
            {"message", event == "ok" ? "" : "it failed"},
            {"files", Json::array()}};
  }
  if (std::holds_alternative<chart::CallAgent>(effect) && event == "done") return {{"reply", ""}};
  return Json::object();
}

std::string to_words(const std::vector<chart::AskHuman::Option>& options) {
  std::vector<std::string> names;
  for (const auto& option : options) names.push_back(option.name);
  return join(names, ", ");
}

}  // namespace

std::vector<std::string> endings_of(const chart::Effect& effect, const model::System& system) {
  const auto* question = std::get_if<chart::AskHuman>(&effect);
  if (!question) return declared_endings(effect, system).names;
  if (question->text != model::Need::none) return {"answered"};
  std::vector<std::string> options;
  for (const auto& option : question->options) options.push_back(option.name);
  return options;
}

Outcome outcome_of(const chart::Effect& effect, const Step& step, const model::System& system) {
  const std::string& event = step.text.text;
  if (std::holds_alternative<chart::AskHuman>(effect) && !is_error(event)) {
    return {{}, {}, "a question is answered", "write 'answer: OPTION', or 'text: WORDS'"};
  }
  const Endings endings = declared_endings(effect, system);
  const bool known =
      std::find(endings.names.begin(), endings.names.end(), event) != endings.names.end();
  if (!known && !is_error(event)) {
    return {
        {}, {}, "'" + event + "' is not " + endings.what, suggestion(event, endings.names, "ends")};
  }
  Json data = usual_data(effect, event);
  if (step.data.json.is_object()) {
    data.update(step.data.json);
  } else if (!step.data.json.is_null()) {
    data = step.data.json;
  }
  const auto* call = std::get_if<chart::CallAgent>(&effect);
  if (!call || is_error(event) || event == "done") return {event, std::move(data), {}, {}};
  std::optional<script::VerdictReply> verdict = script::VerdictReply{event, data};
  if (auto problem = script::problem_with(call_of(*call, system).verdicts, verdict)) {
    return {{}, {}, *problem, "give an agent's fields under 'data'"};
  }
  for (const auto& [key, value] : data.items()) {
    if (verdict->fields.contains(key)) continue;
    std::vector<std::string> fields;
    for (const auto& [field, ignored] : verdict->fields.items()) fields.push_back(field);
    return {{}, {}, event + " has no field '" + key + "'", suggestion(key, fields, "fields")};
  }
  return {event, std::move(verdict->fields), {}, {}};
}

Outcome answer_of(const chart::Effect& effect, const Step& step) {
  const auto* question = std::get_if<chart::AskHuman>(&effect);
  if (!question) {
    return {
        {}, {}, "nothing is asked there", "write 'outcome: NAME', or 'reply: TEXT' of an agent"};
  }
  const std::string& said = step.text.text;
  if (question->text != model::Need::none) {
    if (!step.words) return {{}, {}, "it asks for words", "write 'text: WORDS'"};
    if (question->text == model::Need::required && trim(said).empty()) {
      return {{}, {}, "it asks for words, and there are none", ""};
    }
    return {"answered", {{"text", said}, {"feedback", said}, {"by", step.by}}, {}, {}};
  }
  if (step.words) {
    return {{},
            {},
            "it has options",
            "write 'answer: OPTION'; offered: " + to_words(question->options)};
  }
  const auto option =
      std::find_if(question->options.begin(), question->options.end(),
                   [&](const chart::AskHuman::Option& each) { return each.name == said; });
  if (option == question->options.end()) {
    return {{}, {}, "'" + said + "' is not offered", "offered: " + to_words(question->options)};
  }
  const std::string feedback = step.feedback.value_or("");
  if (option->feedback == model::Need::required && trim(feedback).empty()) {
    return {{}, {}, said + " needs words", "give them with 'feedback'"};
  }
  if (option->feedback == model::Need::none && step.feedback) {
    return {{}, {}, said + " takes no words", "leave out 'feedback'"};
  }
  if (step.edited && !option->edit) {
    return {{}, {}, said + " edits nothing", "leave out 'edited'"};
  }
  Json data = {{"feedback", feedback}, {"by", step.by}};
  if (option->edit) data["edited"] = step.edited.value_or(*option->edit);
  return {said, std::move(data), {}, {}};
}

}  // namespace agneto::scenario
