// Questions: put to a person, to their default, or left for a later answer.

#include <algorithm>

#include "run/engine.h"
#include "run/record.h"

namespace agneto::run {
namespace {

const chart::AskHuman::Option* find_option(const chart::AskHuman& question,
                                           const std::string& name) {
  for (const auto& option : question.options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

// Why an answer is none; empty if it is one.
std::string refusal(const chart::AskHuman& question, const Answer& answer) {
  bool words = !trim(answer.feedback).empty();
  if (question.text != model::Need::none) {
    return question.text == model::Need::required && !words
               ? "the question asks for words; give them with --feedback TEXT"
               : "";
  }
  const auto* option = find_option(question, answer.option);
  if (!option) {
    std::string offered;
    for (const auto& other : question.options)
      offered += (offered.empty() ? "" : ", ") + other.name;
    return "'" + answer.option + "' is not offered; choose one of " + offered;
  }
  if (option->feedback == model::Need::required && !words) {
    return answer.option + " needs words; give them with --feedback TEXT";
  }
  return "";
}

}  // namespace

bool Engine::ask(const chart::AskHuman& effect) {
  if (setup_.human.present()) {
    questions_.push_back(effect.path);
    Json options = Json::array();
    for (const auto& option : effect.options) {
      options.push_back({{"name", option.name},
                         {"label", option.label},
                         {"feedback", option.feedback == model::Need::required},
                         {"edit", option.edit.has_value()}});
    }
    publish("question.asked", effect.path,
            {{"question", effect.question},
             {"show", effect.show},
             {"options", std::move(options)},
             {"default", effect.default_option},
             {"words", effect.text != model::Need::none}});
    Question question{effect, bench_.since_last_commit().diff};
    if (question.diff.empty()) question.diff = bench_.since_base().diff;
    setup_.human.ask(question, [this, path = effect.path](Answer answer) {
      mailbox_.post(Answered{path, std::move(answer)});
    });
  } else if (!effect.default_option.empty()) {
    take_answer(effect.path, {effect.default_option, "", std::nullopt}, "default");
  } else {
    unanswerable_.push_back(effect.path);
  }
  return true;
}

bool Engine::take_answer(const std::string& path, const Answer& answer, const std::string& by) {
  auto found = state_.outstanding.find(path);
  if (found == state_.outstanding.end()) return false;
  std::erase(questions_, path);
  std::erase(unanswerable_, path);
  const auto question = std::get<chart::AskHuman>(found->second);
  publish("question.answered", path,
          {{"option", answer.option}, {"feedback", answer.feedback}, {"by", by}});
  Json data = {{"feedback", answer.feedback}, {"by", by}};
  bool words = question.text != model::Need::none;
  if (words) data["text"] = answer.feedback;
  if (answer.edited) data["edited"] = *answer.edited;
  outcome(path, words ? "answered" : answer.option, std::move(data),
          {entry("answer", path, to_json(answer, by))});
  return true;
}

void Engine::answer(const Answer& answer) {
  for (const auto& path : ready_) {
    const auto* question = std::get_if<chart::AskHuman>(&state_.outstanding.at(path));
    if (!question) continue;
    if (std::string why = refusal(*question, answer); !why.empty()) {
      throw Error("that does not answer the question of " + path + ": " + why);
    }
    std::string answered = path;
    std::erase(ready_, answered);
    try {
      take_answer(answered, answer, "person");
    } catch (const DiskFull& error) {
      stop_at(error.what(), error.help());
    }
    return;
  }
  throw Error("run " + line_.id + " has no open question to answer",
              "continue it with 'agneto resume " + line_.id + "'");
}

}  // namespace agneto::run
