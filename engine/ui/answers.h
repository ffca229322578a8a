// How an open question is answered from the command line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ui/styled.h"

namespace agneto::ui {

struct Choice {
  std::string name;
  std::string label;
  bool feedback = false;  // words are required
  bool edit = false;      // an edited text is required
};

// What answers it: 'agneto answer RUN' where somebody works on the run (`live`), else 'agneto
// resume RUN', which goes on with it too.
std::string answer_command(const std::string& run, bool live);

// A command for each choice, its label behind it, or above it where a line of `width` columns does
// not hold both. `words`: the question asks for words.
std::vector<Styled> answer_commands(const std::string& run, const std::vector<Choice>& choices,
                                    bool words, std::size_t width, bool live = false);

}  // namespace agneto::ui
