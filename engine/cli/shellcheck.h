// ShellCheck, which knows what a shell makes of its text: a program of others, where it is
// installed.
#pragma once

#include <filesystem>

#include "lint/shell/shell_check.h"

namespace agneto::cli {

// Calls `shellcheck`, once for all scripts. Where it is there and does not do its work, that is
// said on standard error, and nothing is found. `guard`: the agneto-guard program.
lint::ShellChecker shellcheck(std::filesystem::path guard);

}  // namespace agneto::cli
