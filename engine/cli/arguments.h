// What several commands take on their command lines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "model/machine.h"

namespace agneto::cli {

// The values of `--input NAME=VALUE`, which may be given often; the last one of a name counts.
// Throws Error if one has no `=`.
std::map<std::string, std::string> parse_inputs(const std::vector<std::string>& arguments);

// The options --max-calls, --max-cost, --max-tokens and --max-time.
struct LimitOptions {
  std::optional<int> calls, tokens;
  std::string cost, time;

  // This must live as long as the command.
  void add_to(CommandLine& command);
  // Throws Error where one cannot be read, or is nothing.
  model::Limits limits() const;
};

// Returns the file's text, or standard input's for "-", as UTF-8 without a byte order mark. Throws
// Error if it cannot be read or is empty; `what` ("task file") and `option` ("--file") name it.
std::string read_text(const std::string& file, const std::string& what, const std::string& option);

}  // namespace agneto::cli
