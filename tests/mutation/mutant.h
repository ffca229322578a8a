// One small mistake in a workflow, and what it looks like to the program that is to find it.
#pragma once

#include <map>
#include <string>

namespace agneto::mutation {

// A workflow's files by path, relative to the folder that holds `workflows` and `scripts`.
using Texts = std::map<std::string, std::string>;

struct Mutant {
  std::string kind;   // "negate-guard"
  std::string place;  // "workflows/agneto.yaml TASK_INIT always[1]"
  std::string file;
  std::string text;  // of that file, with the mistake in it

  std::string name() const { return kind + ": " + place; }
};

}  // namespace agneto::mutation
