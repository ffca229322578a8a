// What answers a question: the one rule, for runs, scenario tests and machines in other programs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "chart/effect.h"

namespace agneto::chart {

struct Answer {
  std::string option;                 // empty where the question asks for words
  std::string feedback;               // the words, or those that go with the option
  std::optional<std::string> edited;  // the text that the option edits; left out: as it was
};

// How an answer is given where it is refused, for the help: "--feedback TEXT".
struct AnswerForms {
  std::string_view words;     // to a question that asks for words
  std::string_view feedback;  // with an option
  std::string_view edited;
};

struct Refusal {
  std::string problem, help;  // one line each
};

// Is the text another than the option had to be edited, and not blank?
bool is_edited(const AskHuman::Option& option, std::string_view text);

// Why it is no answer. A question for words takes no option, and words that are not blank where it
// requires them. Any other takes one of the options that are offered now: with words where the
// option requires them, without where it takes none, and an edited text only where it edits one,
// and only where it is edited.
std::optional<Refusal> refusal(const AskHuman& question, const Answer& answer,
                               const AnswerForms& forms);

// What the question ends in by an answer that is not refused: `answered`, or the option.
const std::string& outcome_of(const AskHuman& question, const Answer& answer);
// The data of that event. `by`: "person" or "default".
Json data_of(const AskHuman& question, const Answer& answer, const std::string& by);

// The option with that name; null where it is not offered.
const AskHuman::Option* find_option(const AskHuman& question, std::string_view name);

}  // namespace agneto::chart
