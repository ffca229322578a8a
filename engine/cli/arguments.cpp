#include "cli/arguments.h"

#include <cmath>
#include <iostream>
#include <iterator>
#include <limits>
#include <utility>

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

void LimitOptions::add_to(CommandLine& command) {
  const std::pair any(1, std::numeric_limits<int>::max());
  command.add("--max-calls", &calls, "Suspend the run before it calls agents more often",
              {.range = any, .shown_as = "INT"});
  command.add("--max-cost", &cost, "Suspend it once that many US dollars are spent",
              {.shown_as = "USD"});
  command.add("--max-tokens", &tokens, "Suspend it once that many tokens are read and written",
              {.range = any, .shown_as = "INT"});
  command.add("--max-time", &time, "Suspend it once it has worked so long: 30m, 8h, …",
              {.shown_as = "DURATION"});
}

model::Limits LimitOptions::limits() const {
  model::Limits limits;
  limits.calls = calls.value_or(0);
  limits.tokens = tokens.value_or(0);
  if (!cost.empty()) {
    limits.cost = parse_number<double>(cost).value_or(0);
    if (!(limits.cost > 0) || std::isinf(limits.cost)) {
      throw Error("--max-cost: '" + cost + "' is no amount of US dollars", "write 2.5 or 20");
    }
  }
  if (!time.empty()) {
    limits.time = parse_duration(time).value_or(Millis(0));
    if (limits.time.count() == 0) {
      throw Error("--max-time: '" + time + "' is no duration", "write 30m, 8h or 1h30m");
    }
  }
  return limits;
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
