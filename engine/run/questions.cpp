#include "run/questions.h"

#include <algorithm>

#include "base/text.h"

namespace agneto::run {

// A person who chose to edit and gives no edited text has forgotten it.
std::string refusal(const chart::AskHuman& question, const Answer& answer) {
  auto refused =
      chart::refusal(question, answer, {"--feedback TEXT", "--feedback TEXT", "--edited FILE"});
  const auto* option = chart::find_option(question, answer.option);
  if (!refused && option && option->edit && !answer.edited) {
    refused = {answer.option + " needs the edited text", "give it with --edited FILE"};
  }
  return refused ? refused->problem + "; " + refused->help : "";
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
