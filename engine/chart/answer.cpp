#include "chart/answer.h"

#include <algorithm>

#include "base/text.h"

namespace agneto::chart {

namespace {

bool asks_for_words(const AskHuman& question) {
  return question.text != model::Need::none;
}

// "--feedback TEXT" -> "--feedback"
std::string leave_out(std::string_view form) {
  return "leave out " + std::string(form.substr(0, form.find(' ')));
}

}  // namespace

bool is_edited(const AskHuman::Option& option, std::string_view text) {
  return option.edit && text != *option.edit && !trim(text).empty();
}

std::optional<Refusal> refusal(const AskHuman& question, const Answer& answer,
                               const AnswerForms& forms) {
  const std::string& name = answer.option;
  const bool words = !trim(answer.feedback).empty();
  if (asks_for_words(question)) {
    const std::string how = "give them with " + std::string(forms.words);
    if (!name.empty()) return Refusal{"it asks for words, not for an option", how};
    if (question.text == model::Need::required && !words) {
      return Refusal{"it asks for words, and there are none", how};
    }
    if (answer.edited) return Refusal{"it asks for words", leave_out(forms.edited)};
    return std::nullopt;
  }
  const AskHuman::Option* option = find_option(question, name);
  if (!option) {
    return Refusal{name.empty() ? "it has options" : "'" + name + "' is not offered",
                   "choose one of " + join(names_of(question.options), ", ")};
  }
  if (option->feedback == model::Need::required && !words) {
    return Refusal{name + " needs words", "give them with " + std::string(forms.feedback)};
  }
  if (option->feedback == model::Need::none && words) {
    return Refusal{name + " takes no words", leave_out(forms.feedback)};
  }
  if (answer.edited && !option->edit) {
    return Refusal{name + " edits nothing", leave_out(forms.edited)};
  }
  if (answer.edited && !is_edited(*option, *answer.edited)) {
    return Refusal{name + " is for an edited text, and nothing was edited",
                   "edit it, or choose another option"};
  }
  return std::nullopt;
}

const std::string& outcome_of(const AskHuman& question, const Answer& answer) {
  static const std::string answered = "answered";
  return asks_for_words(question) ? answered : answer.option;
}

Json data_of(const AskHuman& question, const Answer& answer, const std::string& by) {
  Json data = {{"feedback", answer.feedback}, {"by", by}};
  if (asks_for_words(question)) data["text"] = answer.feedback;
  const AskHuman::Option* option = find_option(question, answer.option);
  if (option && option->edit) data["edited"] = answer.edited.value_or(*option->edit);
  return data;
}

const AskHuman::Option* find_option(const AskHuman& question, std::string_view name) {
  const auto found = std::ranges::find(question.options, name, &AskHuman::Option::name);
  return found == question.options.end() ? nullptr : &*found;
}

}  // namespace agneto::chart
