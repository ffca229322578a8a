// Completion in a shell: the commands, options and values (such as runs) that can stand where the
// cursor is. The scripts in scripts/completions ask `agneto __complete -- WORD…` for them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace agneto::cli {

struct Candidate {
  std::string text;
  std::string help;  // may be empty

  bool operator==(const Candidate&) const = default;
};

struct Completion {
  std::vector<Candidate> candidates;
  bool files = false;  // and the names of files

  bool operator==(const Completion&) const = default;
};

// The kinds of values that an option or a word can have.
enum class Value {
  other,
  file,
  run,
  runs_option,
  workflow_file,
  rule,
  agent,
  new_from,  // a template
  input,     // NAME= of the workflow's
  choice,    // STATE=, and then STATE=OUTCOME
  package    // that is here
};

// The words that were typed before the value.
struct Typed {
  std::string command;
  std::vector<std::string> words;              // that are no options
  std::map<std::string, std::string> options;  // those with a value, by their name
};

// All that there are of a kind.
using Lookup = std::function<std::vector<Candidate>(Value value, const Typed& typed)>;

// `words`: what was typed after the program's name, the last one being that at the cursor.
Completion complete(const Program& program, const std::vector<std::string>& words,
                    const Lookup& lookup);

// Throws std::out_of_range for an option that is not in the table: a test asks for all of them.
Value value_of(const Option& option);

}  // namespace agneto::cli
