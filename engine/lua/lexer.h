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
};

// Ends with one of kind `end`. What is no token of Lua becomes a symbol that no grammar knows.
std::vector<Token> tokens(std::string_view text);

}  // namespace agneto::lua
