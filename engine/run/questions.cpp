// Questions: put to a person, to their default, or left for a later answer.

#include "base/text.h"
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
  const std::string& chosen = answer.option;
  bool words = !trim(answer.feedback).empty();
  if (question.text != model::Need::none) {
    if (!chosen.empty()) return "it asks for words; give --feedback TEXT instead of --answer";
    return question.text == model::Need::required && !words
               ? "it asks for words; give them with --feedback TEXT"
               : "";
  }
  const auto* option = find_option(question, chosen);
  if (!option) {
    std::vector<std::string> offered;
    for (const auto& other : question.options) offered.push_back(other.name);
    return chosen.empty() ? "it has options; choose one with --answer: " + join(offered, ", ")
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
    Workbench& bench = benches_.of(effect.path);
    Question question{effect, bench.since_last_commit().diff};
    if (question.diff.empty()) question.diff = bench.since_base().diff;
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

const chart::AskHuman& Engine::open_question() const {
  for (const auto& [path, effect] : state_.outstanding) {
    if (const auto* question = std::get_if<chart::AskHuman>(&effect)) return *question;
  }
  throw Error("run " + line_.id + " has no open question to answer",
              "continue it with 'agneto resume " + line_.id + "'");
}

void Engine::check(const Answer& answer) const {
  const chart::AskHuman& question = open_question();
  if (std::string why = refusal(question, answer); !why.empty()) {
    throw Error("that does not answer the question of " + question.path + ": " + why,
                "'agneto show " + line_.id + "' shows the question");
  }
}

void Engine::answer(const Answer& answer) {
  check(answer);
  std::string path = open_question().path;
  std::erase(ready_, path);
  try {
    take_answer(path, answer, "person");
  } catch (const DiskFull& error) {
    stop_at(error.what(), error.help());
  }
}

}  // namespace agneto::run
