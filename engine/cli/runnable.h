// The workflows that can be run here.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"
#include "model/machine.h"

namespace agneto::cli {

struct Runnable {
  std::string name;  // as 'agneto run -w' takes it
  std::string from;  // "this repository", "package reviews v1", …
  fs::path file;
  std::string description = {};
  std::vector<model::Variable> inputs = {};
  std::string problem = {};  // that it cannot be loaded
};

// The team's, one's own, those that come with the program, then those of packages.
std::vector<Runnable> runnables(const Context& context);

// Looks into its file for the rest.
void read(Runnable& one, const Context& context);

// A line each: "task (string, needed): What is to be done", "rounds (integer, else 5)".
std::vector<std::string> described(const std::vector<model::Variable>& inputs);

}  // namespace agneto::cli
