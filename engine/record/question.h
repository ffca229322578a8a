// Questions to a person and their answers, as they are recorded and shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "chart/answer.h"
#include "record/surroundings.h"

namespace agneto::record {

using chart::Answer;

// An answer and who gave it.
struct GivenAnswer : Answer {
  std::string by;         // "person" (at the run's terminal), "default", or "elsewhere"
  std::string name = {};  // the person's, where it came from elsewhere
};

// An open question as programs and people see it.
struct Question {
  struct Option {
    std::string name;
    std::string label;
    model::Need feedback = model::Need::none;
    bool edit = false;  // does a person edit a text for it?
  };
  std::string path;  // of its effect; not part of the JSON, where it is called `id` or `path`
  std::string question;
  std::string show;  // the material
  std::vector<Option> options;
  std::string default_option = {};  // empty: none
  bool words = false;               // are words asked for, and not an option?
  Surroundings around = {};
};

Question question_of(const chart::AskHuman& ask, Surroundings around = {});
// {"question", "show", "options": [{"name", "label", "feedback": "none"|"optional"|"required",
// "edit"}], "default", "words", "deadlines": [{"time"?, "left", "to", "guarded"?}]?, "events"?}
Json to_json(const Question& question);

// What is ordered and has not ended, by path, in a run's state as the journal has it; nothing of a
// run that has not begun.
Json outstanding_of(const Json& state);
// The questions that wait for an answer, by path, in a run's state as the journal has it.
std::vector<chart::AskHuman> open_questions(const Json& state);

}  // namespace agneto::record
