#include "record/question.h"

#include "record/json_fields.h"

namespace agneto::record {

Question question_of(const chart::AskHuman& ask, Surroundings around) {
  Question question{ask.path, ask.question,       ask.show,
                    {},       ask.default_option, ask.text != model::Need::none};
  for (const auto& option : ask.options) {
    question.options.push_back(
        {option.name, option.label, option.feedback, option.edit.has_value()});
  }
  question.around = std::move(around);
  return question;
}

Json outstanding_of(const Json& state) {
  const Json& outstanding = member(member(state, "run"), "outstanding");
  return outstanding.is_null() ? Json::object() : outstanding;
}

std::vector<chart::AskHuman> open_questions(const Json& state) {
  std::vector<chart::AskHuman> open;
  const Json outstanding = outstanding_of(state);
  for (const auto& [path, json] : outstanding.items()) {
    auto effect = from_fields<chart::NamedEffect>(json);
    if (auto* ask = std::get_if<chart::AskHuman>(&effect)) open.push_back(std::move(*ask));
  }
  return open;
}

Json to_json(const Question& question) {
  return to_fields(question);
}

}  // namespace agneto::record
