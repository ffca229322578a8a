#include "base/utf8.h"

namespace agneto {

Character character_at(std::string_view text, std::size_t offset) {
  const auto first = static_cast<unsigned char>(text[offset]);
  if (first < 0x80) return {first, 1, true};
  std::size_t size = 0;
  char32_t code = 0;
  // The bounds of the second byte are what rules out overlong forms, surrogates and the too large.
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    size = 2;
    code = first & 0x1F;
  } else if (first >= 0xE0 && first <= 0xEF) {
    size = 3;
    code = first & 0x0F;
    low = first == 0xE0 ? 0xA0 : low;
    high = first == 0xED ? 0x9F : high;
  } else if (first >= 0xF0 && first <= 0xF4) {
    size = 4;
    code = first & 0x07;
    low = first == 0xF0 ? 0x90 : low;
    high = first == 0xF4 ? 0x8F : high;
  } else {
    return {first, 1, false};
  }
  for (std::size_t i = 1; i < size; ++i) {
    const bool there = offset + i < text.size();
    const auto byte = there ? static_cast<unsigned char>(text[offset + i]) : '\0';
    if (!there || byte < low || byte > high) return {first, i, false};
    code = (code << 6) | (byte & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  return {code, size, true};
}

}  // namespace agneto
