#include "cli/arguments.h"

#include <iostream>
#include <iterator>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

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

std::string read_text(const std::string& file, const std::string& what, const std::string& option) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::optional<std::string> text;
  if (file == "-") {
    text.emplace(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  } else {
    text = Disk().read(file);
  }
  if (!text) {
    throw Error("cannot read the " + what + " " + file, "check the path given to " + option);
  }
  if (text->starts_with(byte_order_mark)) text->erase(0, byte_order_mark.size());
  if (trim(*text).empty()) {
    throw Error("the " + what + " " + (file == "-" ? "on standard input" : file) + " is empty",
                "write in it what is to be done");
  }
  return valid_utf8(*text);
}

}  // namespace agneto::cli
