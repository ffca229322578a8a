#include "run/engine/question_desk.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "run/questions.h"

namespace agneto::run {

QuestionDesk::QuestionDesk(Human& human, Reporter& reporter,
                           std::function<Question(const chart::AskHuman& ask)> look,
                           std::function<void(std::string path, Answer)> answered)
    : human_(human), reporter_(reporter), look_(std::move(look)), answered_(std::move(answered)) {}

void QuestionDesk::open(chart::AskHuman question) {
  open_.push_back({std::move(question)});
}

bool QuestionDesk::has_new() const {
  return std::any_of(open_.begin(), open_.end(),
                     [](const Open& open) { return open.status == Status::fresh; });
}

const chart::AskHuman* QuestionDesk::put_next() {
  Open& next = *std::find_if(open_.begin(), open_.end(),
                             [](const Open& open) { return open.status == Status::fresh; });
  const chart::AskHuman& ask = next.question;
  next.status = human_.present() ? Status::asked : Status::unanswerable;
  if (!human_.present()) return ask.default_option.empty() ? nullptr : &ask;
  const Question question = look_(ask);
  reporter_.publish(
      ask.path, record::QuestionAsked{record::question_of(ask, question.around), question.spent});
  human_.ask(question,
             [this, path = ask.path](Answer answer) { answered_(path, std::move(answer)); });
  return nullptr;
}

void QuestionDesk::close(const std::string& path) {
  std::erase_if(open_, [&](const Open& open) { return open.question.path == path; });
}

void QuestionDesk::withdraw(const std::string& path, const std::string& why) {
  const Open* open = entry(path);
  if (open && open->status == Status::asked) human_.withdraw(path, why);
  close(path);
}

void QuestionDesk::withdraw_all() {
  for (Open& open : open_) {
    if (open.status != Status::asked) continue;
    human_.withdraw(open.question.path, "the run stops here; the question stays open");
    open.status = Status::fresh;
  }
}

const QuestionDesk::Open* QuestionDesk::entry(const std::string& path) const {
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const Open& open) { return open.question.path == path; });
  return found == open_.end() ? nullptr : &*found;
}

const chart::AskHuman* QuestionDesk::find(const std::string& path) const {
  const Open* open = entry(path);
  return open ? &open->question : nullptr;
}

bool QuestionDesk::is_asking() const {
  return std::any_of(open_.begin(), open_.end(),
                     [](const Open& open) { return open.status == Status::asked; });
}

std::vector<const chart::AskHuman*> QuestionDesk::unanswerable() const {
  std::vector<const chart::AskHuman*> found;
  for (const Open& open : open_) {
    if (open.status == Status::unanswerable) found.push_back(&open.question);
  }
  std::sort(found.begin(), found.end(),
            [](const auto* a, const auto* b) { return a->path < b->path; });
  return found;
}

const chart::AskHuman& QuestionDesk::only_one(const std::string& run_id) const {
  if (open_.size() == 1) return open_.front().question;
  if (open_.empty()) {
    throw Error("run " + run_id + " has no open question to answer",
                "continue it with 'agneto resume " + run_id + "'");
  }
  std::vector<std::string> paths;
  for (const Open& open : open_) paths.push_back(open.question.path);
  throw Error(fmt::format("run {} has {} open questions", run_id, paths.size()),
              fmt::format("say which: agneto answer {} QUESTION OPTION --resume, where QUESTION is "
                          "one of {}",
                          run_id, join(paths, ", ")));
}

void require_answer(const std::string& run_id, const chart::AskHuman& question,
                    const Answer& answer, const std::vector<journal::Message>& inbox) {
  if (const auto waiting = answer_waiting(inbox, question.path)) {
    throw Error(
        "the question of " + question.path + " is answered already: " + describe(waiting->answer),
        "go on with 'agneto resume " + run_id + "'");
  }
  if (const std::string why = refusal(question, answer); !why.empty()) {
    throw Error("that does not answer the question of " + question.path + ": " + why,
                "'agneto show " + run_id + "' shows the question");
  }
}

}  // namespace agneto::run
