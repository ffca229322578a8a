// The command line as a whole: names, help, examples.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace agneto::cli {

void describe(CLI::App& app, Context& context);

}  // namespace agneto::cli
