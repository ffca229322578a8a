// What `agneto run` and `agneto submit` take on their command lines: a new run, and how it is to
// be.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command_line.h"
#include "run/assembly.h"

namespace agneto::cli {

struct NewRunOptions {
  std::string task, file;
  std::vector<std::string> inputs;
  std::string cassette;
  run::Request request;  // all else of it
  LimitOptions limits;

  // This must live as long as the command.
  void add_to(CommandLine& command);
  // Throws Error where one cannot be read.
  run::Request wanted(const Context& context) const;
};

// Shows what the workflow that is wanted does, and its inputs, behind the command's help.
ExitStatus show_workflow(const std::string& name, const Context& context);

}  // namespace agneto::cli
