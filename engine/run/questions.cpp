// Questions: put to a person, to their default, or left for a later answer.
#include "run/questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "run/engine.h"

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

bool Engine::ask(const chart::AskHuman& effect) {
  if (setup_.human.present()) {
    questions_.push_back(effect.path);
    publish("question.asked", effect.path, record::to_json(record::question_of(effect)));
    SharedWorkspace& tree = workspaces_.of(effect.path);
    Question question{effect, tree.since_last_commit().diff};
    if (question.diff.empty()) question.diff = tree.since_base().diff;
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

bool Engine::take_answer(const std::string& path, const Answer& answer, const std::string& by,
                         const std::string& name) {
  auto found = state_.outstanding.find(path);
  if (found == state_.outstanding.end()) return false;
  const bool elsewhere = by == "elsewhere";
  if (std::erase(questions_, path) > 0 && elsewhere) {
    setup_.human.withdraw(path, "answered elsewhere: " + describe(answer));
  }
  std::erase(unanswerable_, path);
  std::erase(ready_, path);
  const auto question = std::get<chart::AskHuman>(found->second);
  const record::Answered recorded{{answer, by, name}};
  publish("question.answered", path, record::body_json(recorded));
  // To the workflow a person is a person, wherever.
  Json data = {{"feedback", answer.feedback}, {"by", elsewhere ? "person" : by}};
  bool words = question.text != model::Need::none;
  if (words) data["text"] = answer.feedback;
  if (answer.edited) data["edited"] = *answer.edited;
  outcome(path, words ? "answered" : answer.option, std::move(data), {entry(path, recorded)});
  return true;
}

const chart::AskHuman& Engine::open_question() const {
  std::vector<std::string> paths;
  const chart::AskHuman* open = nullptr;
  for (const auto& [path, effect] : state_.outstanding) {
    const auto* question = std::get_if<chart::AskHuman>(&effect);
    if (!question) continue;
    if (!open) open = question;
    paths.push_back(path);
  }
  if (paths.size() == 1) return *open;
  if (paths.empty()) {
    throw Error("run " + line_.id + " has no open question to answer",
                "continue it with 'agneto resume " + line_.id + "'");
  }
  throw Error(fmt::format("run {} has {} open questions", line_.id, paths.size()),
              fmt::format("say which: agneto answer {} QUESTION OPTION --resume, where QUESTION is "
                          "one of {}",
                          line_.id, join(paths, ", ")));
}

void Engine::check(const Answer& answer) const {
  const chart::AskHuman& question = open_question();
  const auto inbox = setup_.journal.inbox(line_.id);
  if (const auto* posted = posted_to(inbox, question.path)) {
    throw Error("the question of " + question.path +
                    " is answered already: " + describe(record::posted_answer(posted->body)),
                "go on with 'agneto resume " + line_.id + "'");
  }
  if (std::string why = refusal(question, answer); !why.empty()) {
    throw Error("that does not answer the question of " + question.path + ": " + why,
                "'agneto show " + line_.id + "' shows the question");
  }
}

void Engine::answer(const Answer& answer) {
  check(answer);
  const std::string path = open_question().path;
  try {
    take_answer(path, answer, "person");
  } catch (const DiskFull& error) {
    stop_at(error.what(), error.help());
  }
}

}  // namespace agneto::run
