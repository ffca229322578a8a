#include "run/questions.h"

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

std::optional<WaitingAnswer> answer_waiting(const std::vector<journal::Message>& inbox,
                                            const std::string& question) {
  for (const auto& message : inbox) {
    if (message.kind != record::PostedAnswer::kind) continue;
    try {
      auto answer = std::get<record::PostedAnswer>(record::decode(message));
      if (answer.question == question) return WaitingAnswer{std::move(answer), message.time};
    } catch (const Error&) {
      // The owner refuses it.
    }
  }
  return std::nullopt;
}

std::string describe(const Answer& answer) {
  return answer.option.empty() ? "in words" : answer.option;
}

}  // namespace agneto::run
