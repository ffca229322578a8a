// Programs that read one of their arguments as a program: sh -c TEXT, python3 -c TEXT, awk TEXT,
// git -c alias.x=!TEXT.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agneto::lint {

struct ProgramText {
  std::size_t first = 0;  // which words of the command line it is
  std::size_t end = 0;
  std::string what = {};  // "the shell's program", as a message calls it
  bool is_shells = false;
};

// The text that a program in the command line reads as a program: that of the line, or one that it
// starts, as `env` and `sudo` do.
std::optional<ProgramText> text_as_program(const std::vector<std::string>& words);

}  // namespace agneto::lint
