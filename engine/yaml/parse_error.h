// Says what yaml-cpp found wrong in words that help.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"

namespace agneto::yaml {

struct YamlError {
  std::string message;      // yaml-cpp's
  std::size_t offset = 0;   // where it noticed
  std::size_t parsed = 0;   // end of the last value that was read well
  std::size_t comment = 0;  // the last comment reported to swallow a value, or 0
  std::size_t torn = 0;     // end of the last text reported to be torn by a comma, or 0
  std::optional<std::size_t> open_flow;  // the innermost open `{` or `[`
};

inline constexpr const char* comment_help =
    "quote the value or write it behind '|'; a real comment needs a space behind its '#'";

// The first no-break spaces in [from, to) that stand where a blank would mean something: at the
// beginning of a line, or behind a sign of YAML's.
std::optional<std::pair<std::size_t, std::size_t>> no_break_space_between(std::string_view text,
                                                                          std::size_t from,
                                                                          std::size_t to);
void report_no_break_space(const Span& place, Diagnostics& diagnostics);

void report_unclosed_quote(const Span& quote, Diagnostics& diagnostics);

void report(const YamlError& error, const Source& source, Diagnostics& diagnostics);

// False, with its one error, where the text holds what no YAML file may: bytes that are not UTF-8,
// control characters.
bool check_characters(const Source& source, Diagnostics& diagnostics);

}  // namespace agneto::yaml
