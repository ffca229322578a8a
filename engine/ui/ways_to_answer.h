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

// Finds the open question that a person means by its id, its state or anything that means_path
// takes; if `wanted` is empty, the only one. Throws Error with the list of them.
const chart::AskHuman& find_question(const std::string& run_id,
                                     const std::vector<chart::AskHuman>& open,
                                     const std::string& wanted);

// The run and the question that a command answers.
struct Asking {
  std::string run;
  std::string question = {};  // its id, where it has to be named; else empty
  bool live = false;          // a process works on the run
};

// The command that answers it: 'agneto resume RUN', which goes on with the run too, or, if a
// process works on the run or the question is named, 'agneto answer RUN [QUESTION]'.
std::string answer_command(const Asking& asking);

// A command for each option with its label behind it, or above it if a line of `width` columns is
// too short for both; or the one for the words that the question asks for.
std::vector<Styled> answer_commands(const Asking& asking, const record::Question& question,
                                    std::size_t width);

// A key for each option, all different: `e` for the first that edits; else a letter of its label
// (the first of a word, if it is free) or, if none is left, its number. No option gets v or d,
// which view the material and the diff.
std::vector<std::string> option_keys(const chart::AskHuman& question);

// Finds an option by its key, number or name, in any case; null if `typed` is none of these.
const chart::AskHuman::Option* chosen_option(const chart::AskHuman& question,
                                             std::string_view typed);

}  // namespace agneto::ui
