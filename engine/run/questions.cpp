#include "run/questions.h"

#include <algorithm>

#include "base/text.h"

namespace agneto::run {
namespace {

const chart::AskHuman::Option* find_option(const chart::AskHuman& question,
                                           const std::string& name) {
  for (const auto& option : question.options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

}  // namespace

std::string refusal(const chart::AskHuman& question, const Answer& answer) {
  const std::string& chosen = answer.option;
  bool words = !trim(answer.feedback).empty();
  if (question.text != model::Need::none) {
    if (!chosen.empty()) return "it asks for words, not for an option: --feedback TEXT";
    return question.text == model::Need::required && !words
               ? "it asks for words; give them with --feedback TEXT"
               : "";
  }
  const auto* option = find_option(question, chosen);
  if (!option) {
    std::vector<std::string> offered;
    for (const auto& other : question.options) offered.push_back(other.name);
    return chosen.empty() ? "it has options; choose one of " + join(offered, ", ")
                          : "'" + chosen + "' is not offered; choose one of " + join(offered, ", ");
  }
  if (option->feedback == model::Need::required && !words) {
    return chosen + " needs words; give them with --feedback TEXT";
  }
  if (option->edit && !answer.edited) {
    return chosen + " needs the edited text; give it with --edited FILE";
  }
  if (!option->edit && answer.edited) return chosen + " edits nothing; leave out --edited";
  return "";
}

const journal::Message* posted_to(const std::vector<journal::Message>& inbox,
                                  const std::string& question) {
  const auto found = std::find_if(inbox.begin(), inbox.end(), [&](const auto& message) {
    return message.kind == "answer" && message.body.value("question", "") == question;
  });
  return found == inbox.end() ? nullptr : &*found;
}

std::string describe(const Answer& answer) {
  return answer.option.empty() ? "in words" : answer.option;
}

}  // namespace agneto::run
