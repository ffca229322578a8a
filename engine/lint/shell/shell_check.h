// The shell text of workflows, checked by a program that knows shells, where there is one.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lint/lint.h"

namespace agneto::lint {

// What ShellCheck says of a place in a script. Lines and columns begin with 1; columns count
// characters, and the end is behind the last.
struct ShellRemark {
  std::size_t script = 0;  // which of those that it was given
  int line = 0;
  int column = 0;
  int end_line = 0;
  int end_column = 0;
  int code = 0;  // 2086
  std::string message;
};

// Checks scripts for /bin/sh. Gives nothing where there is no program for it, or it failed.
using ShellChecker =
    std::function<std::optional<std::vector<ShellRemark>>(const std::vector<std::string>& scripts)>;

// Adds to each workflow without errors what the checker says of its programs' `shell`. All texts
// are given to it at once, each of them once.
void check_shell_text(std::span<Findings> linted, const ShellChecker& check);

}  // namespace agneto::lint
