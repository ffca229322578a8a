// Places as the protocol has them: lines and characters from 0, in UTF-16 code units unless the
// client takes bytes of UTF-8.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/source.h"

namespace agneto::lsp {

enum class Encoding { utf8, utf16 };

// Of a text, which must outlive it. A line ends in "\n", "\r\n" or "\r", as the protocol says; a
// byte-order mark belongs to no line.
class Lines {
 public:
  Lines(std::string_view text, Encoding encoding);

  // A line past the end is the end of the text, a character past a line's end is the line's end,
  // one inside of a character is its beginning. Throws InvalidParams where it is no position.
  std::size_t offset(const Json& position) const;
  Json position(std::size_t offset) const;
  Json range(std::size_t begin, std::size_t end) const;
  // The whole line that the offset is on: its first byte, and the end without the line's own.
  std::size_t line_begin(std::size_t offset) const;
  std::size_t line_end(std::size_t offset) const;

 private:
  std::size_t line_of(std::size_t offset) const;
  std::size_t end_of(std::size_t line) const;

  std::string_view text_;
  Encoding encoding_;
  std::vector<std::size_t> starts_;
};

}  // namespace agneto::lsp
