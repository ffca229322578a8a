// `--input NAME=VALUE`, as often as it was given.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace agneto::cli {

// Of a name that is given twice the last value counts. Throws Error where there is no `=`.
std::map<std::string, std::string> parse_inputs(const std::vector<std::string>& arguments);

}  // namespace agneto::cli
