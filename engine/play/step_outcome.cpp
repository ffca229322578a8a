#include "play/step_outcome.h"

#include <algorithm>

#include "model/errors.h"
#include "play/endings.h"

namespace agneto::play {

namespace {

using model::is_error;

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

StepOutcome outcome_of(const chart::Effect& effect, const Step& step, const model::System& system) {
  const std::string& event = step.text.text;
  if (std::holds_alternative<chart::AskHuman>(effect) && !is_error(event)) {
    return {{}, {}, "a question is answered", "write 'answer: OPTION', or 'text: WORDS'"};
  }
  Json data = usual_data(effect, event);
  if (step.data.json.is_object()) {
    data.update(step.data.json);
  } else if (!step.data.json.is_null()) {
    data = step.data.json;
  }
  if (auto objection = objection_to(effect, event, data, system)) {
    return {{}, {}, std::move(objection->problem), std::move(objection->help)};
  }
  return {event, std::move(data), {}, {}};
}

StepOutcome answer_of(const chart::Effect& effect, const Step& step) {
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

}  // namespace agneto::play
