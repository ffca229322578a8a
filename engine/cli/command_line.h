// The command line as a whole: names, help, examples.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace agneto::cli {

void describe(CLI::App& app, Context& context);

// Without those that scripts call: they are in no help, manual or completion.
std::vector<const CLI::App*> commands_for_people(const CLI::App& app);

// What was typed, with 'agneto help COMMAND' as 'agneto COMMAND --help'.
std::vector<std::string> without_help_command(std::vector<std::string> arguments);

// What is wrong with the command line, and what to do about it.
Error usage_error(const CLI::App& app, const CLI::ParseError& error,
                  const std::vector<std::string>& arguments);

}  // namespace agneto::cli
