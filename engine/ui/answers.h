// How an open question is answered: by a command, and by a key at a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "chart/effect.h"
#include "record/question.h"
#include "ui/styled.h"

namespace agneto::ui {

// The one of the open questions that a person means, by its id, its state or what means_path takes.
// Empty: the only one. Throws Error listing them.
const chart::AskHuman& find_question(const std::string& run_id,
                                     const std::vector<chart::AskHuman>& open,
                                     const std::string& wanted);

// Where the question is asked.
struct Asking {
  std::string run;
  std::string question = {};  // its id, where it has to be named; else empty
  bool live = false;          // somebody works on the run
};

// What answers it: 'agneto resume RUN', which goes on with the run too, or, where somebody works on
// it or the question is named, 'agneto answer RUN [QUESTION]'.
std::string answer_command(const Asking& asking);

// A command for each option, its label behind it, or above it where a line of `width` columns does
// not hold both; or the one for the words that the question asks for.
std::vector<Styled> answer_commands(const Asking& asking, const record::Question& question,
                                    std::size_t width);

// One key an option, all different: `e` for the first that edits; else a letter of its label (the
// first of a word, if it is free) or, where none is left, its number. Never v or d: these view the
// material and the diff.
std::vector<std::string> option_keys(const chart::AskHuman& question);

// By key, number or name, in any case; null where it is none of these.
const chart::AskHuman::Option* chosen_option(const chart::AskHuman& question,
                                             std::string_view typed);

}  // namespace agneto::ui
