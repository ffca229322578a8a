#include "cli/inputs.h"

#include "base/error.h"

namespace agneto::cli {

std::map<std::string, std::string> parse_inputs(const std::vector<std::string>& arguments) {
  std::map<std::string, std::string> inputs;
  for (const auto& argument : arguments) {
    const auto equals = argument.find('=');
    if (equals == std::string::npos) {
      throw Error("--input '" + argument + "' has no value", "write --input NAME=VALUE");
    }
    inputs[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  return inputs;
}

}  // namespace agneto::cli
