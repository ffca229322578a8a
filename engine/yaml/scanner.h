// Finds in the source what yaml-cpp does not tell: where scalars end, and what lies between them.
#pragma once

#include <string_view>

#include "yaml/tree.h"

namespace agneto::yaml {

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
inline bool is_space(char c) {
  return is_blank(c) || c == '\n' || c == '\r';
}

// The style of the scalar whose first byte is at `begin`.
Style style_at(std::string_view source, std::size_t begin);

// The end of the scalar that begins at `begin` and that yaml-cpp read as `text`; npos where its
// quote is never closed (yaml-cpp may take the rest of the file for its text then).
std::size_t scalar_end(std::string_view source, std::size_t begin, std::string_view text);

// Past white space, line ends and comments.
std::size_t skip_space(std::string_view source, std::size_t at);
std::size_t skip_blanks(std::string_view source, std::size_t at);  // spaces and tabs only
std::size_t line_end(std::string_view source, std::size_t at);     // without its "\n" or "\r\n"

// Past the anchor, alias or tag at `at`.
std::size_t skip_property(std::string_view source, std::size_t at);

// Past the next `wanted` outside comments, or `at` where another word comes first. Passes over the
// punctuation of collections.
std::size_t skip_to(std::string_view source, std::size_t at, char wanted);

// The end of what an author wrote as one text inside brackets, from `begin` to past `at_least`: up
// to the comma or bracket that belongs to the collection around it. Commas end it only where a key
// follows, and not within brackets or quotes of its own.
std::size_t unquoted_end(std::string_view source, std::size_t begin, std::size_t at_least);

// True where a `#` at `at` looks like a part of the value before it that became a comment
// unnoticed: code (`#ctx.items`), or a number of two digits or more (`closes #4711`).
bool looks_like_value(std::string_view source, std::size_t at);

}  // namespace agneto::yaml
