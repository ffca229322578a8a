// Texts that a person names by file on the command line.
#pragma once

#include <string>

namespace agneto::cli {

// The file's text, or standard input's for "-", as UTF-8 without a byte order mark. Throws Error
// where it cannot be read or says nothing; `what` ("task file") and `option` ("--file") name it.
std::string read_text(const std::string& file, const std::string& what, const std::string& option);

}  // namespace agneto::cli
