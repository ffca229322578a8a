// The tokens of Lua.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agneto::lua {

struct Token {
  enum class Kind { name, keyword, number, string, symbol, end };
  Kind kind = Kind::end;
  std::string text;  // of a string: its value
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool is(std::string_view word) const { return kind != Kind::string && text == word; }
};

struct Tokens {
  // The last one is of kind `end`. What is no token of Lua becomes a symbol that no grammar knows.
  std::vector<Token> all;
  std::vector<std::string_view> comments;  // from their `--` on; views into the text
  bool closed = true;                      // every string and long comment ends in the text
};

Tokens tokens(std::string_view text);

bool is_keyword(std::string_view word);

}  // namespace agneto::lua
