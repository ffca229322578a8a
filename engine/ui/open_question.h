// How an open question is shown, wherever a person meets one: all that is said of it is said here,
// but for how what there is to judge is made readable (material.h), and the commands and keys that
// answer it (ways_to_answer.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "record/event.h"
#include "run/human.h"
#include "run/questions.h"
#include "ui/styled.h"
#include "ui/ways_to_answer.h"

namespace agneto::ui {

// A line, and by how much what does not fit is indented below it: as Screen::line has it.
struct QuestionLine {
  Styled text;
  std::size_t indent;
};
using QuestionLines = std::vector<QuestionLine>;

// In the log of a run that goes on: "❓ Merge? · until 21:12:36, then → SUSPENDED".
Styled question_in_log(const record::Question& question, Time now);

// Where a run stops at it. `width`: of the screen, in columns.
QuestionLines question_at_stop(const record::Question& question, const record::Spent& spent,
                               const Asking& asking, Time now, std::size_t width);

// At a terminal where it is answered at once: what stands above its options, which are offered
// again after each answer that is none.
QuestionLines question_at_terminal(const run::Question& question, Time now, std::size_t width,
                                   std::size_t height);
QuestionLines options_at_terminal(const run::Question& question);

// By `agneto show`: names and values, and lines that stand below them as they are. `answer` is one
// that nobody has taken yet.
struct ShownQuestion {
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<Styled> lines;
};
ShownQuestion question_in_show(const record::Question& question, const Asking& asking,
                               const std::optional<run::WaitingAnswer>& answer, Time now,
                               std::size_t width);

}  // namespace agneto::ui
