// What a shell can put where the cursor is: commands, options, and values such as runs. The scripts
// in scripts/completions ask `agneto __complete -- WORD…` for it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

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

// What the value of an option, or a word that is no option, is.
enum class Value { other, file, run, runs_option, workflow_file, rule, agent };

// All that there are of a kind. `before`: the words before it that are no options.
using Lookup =
    std::function<std::vector<Candidate>(Value value, const std::vector<std::string>& before)>;

// `words`: what was typed after the program's name, the last one being that at the cursor.
Completion complete(const CLI::App& app, const std::vector<std::string>& words,
                    const Lookup& lookup);

// Throws std::out_of_range for one that nobody has decided about: the tests ask for all.
Value value_of(const CLI::Option& option);

}  // namespace agneto::cli
