// One character of UTF-8 at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace agneto {

struct Character {
  char32_t code = 0;
  std::size_t size = 0;  // bytes; at least 1, so that a loop over a text always ends
  bool valid = false;    // else `size` bytes that begin no character
};

// The character at `offset`, which must be inside the text. Overlong forms, surrogates and what is
// past U+10FFFF are not valid.
Character character_at(std::string_view text, std::size_t offset);

}  // namespace agneto
