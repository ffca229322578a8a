// What several commands take on their command lines.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace agneto::cli {

// Of `--input NAME=VALUE`, as often as it was given; of a name that is given twice the last value
// counts. Throws Error where there is no `=`.
std::map<std::string, std::string> parse_inputs(const std::vector<std::string>& arguments);

// The file's text, or standard input's for "-", as UTF-8 without a byte order mark. Throws Error
// where it cannot be read or says nothing; `what` ("task file") and `option` ("--file") name it.
std::string read_text(const std::string& file, const std::string& what, const std::string& option);

}  // namespace agneto::cli
