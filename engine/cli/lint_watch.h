// `agneto lint --watch`: linting again whenever something that matters has changed.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"

namespace agneto::cli {

// One round: lints what it reads through the files, prints that, and says how it ended.
using LintRound = std::function<ExitStatus(const Files& files)>;

// Rounds until Ctrl+C, one whenever a file has another text than the last round read, or is there
// now or gone, or when `arguments` mean other workflows. A terminal is cleared before each. The
// status is the last round's. `notes`: where it says that it waits, and what keeps a round from
// being made.
ExitStatus lint_again_and_again(const std::vector<std::string>& arguments, const LintRound& round,
                                std::FILE* notes);

}  // namespace agneto::cli
