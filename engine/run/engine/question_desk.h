// The open questions of a run: put to a person, answered by their default, or left for later.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chart/effect.h"
#include "journal/journal.h"
#include "run/engine/reporter.h"
#include "run/human.h"

namespace agneto::run {

// A question is known by its path. For the engine's thread only.
class QuestionDesk {
 public:
  // `look`: the question with what there is to judge, asked for when a person is there.
  // `answered`: called once for each question that is put, from any thread.
  QuestionDesk(Human& human, Reporter& reporter,
               std::function<Question(const chart::AskHuman& ask)> look,
               std::function<void(std::string path, Answer)> answered);

  void open(chart::AskHuman question);
  // Puts the next question that was not put yet. Returns the question where nobody is there and it
  // has a default, which is its answer; else null. Only while `has_new`.
  const chart::AskHuman* put_next();
  bool has_new() const;
  // It is answered, or not asked any more: a person who has it before them is told `why`.
  void close(const std::string& path);
  void withdraw(const std::string& path, const std::string& why);
  // Nobody is to answer any more, since the work ends here; the questions stay open.
  void withdraw_all();

  // The question at that path; null where it is not open.
  const chart::AskHuman* find(const std::string& path) const;
  // Does a person have a question before them?
  bool is_asking() const;
  // Those that were put while nobody was there, and have no default, by path.
  std::vector<const chart::AskHuman*> unanswerable() const;
  // The open question of a run that is not at work. Throws Error where there is none, or more than
  // one.
  const chart::AskHuman& only_one(const std::string& run_id) const;

 private:
  enum class Status { fresh, asked, unanswerable };
  struct Open {
    chart::AskHuman question;
    Status status = Status::fresh;
  };
  const Open* entry(const std::string& path) const;

  Human& human_;
  Reporter& reporter_;
  const std::function<Question(const chart::AskHuman&)> look_;
  const std::function<void(std::string, Answer)> answered_;
  std::vector<Open> open_;  // in the order in which they were opened
};

// Throws Error where the answer does not answer the question, or somebody has answered it already
// by a message in the inbox.
void require_answer(const std::string& run_id, const chart::AskHuman& question,
                    const Answer& answer, const std::vector<journal::Message>& inbox);

}  // namespace agneto::run
