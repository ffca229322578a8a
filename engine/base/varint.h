// Writes numbers in few bytes: seven bits a byte, the low ones first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace agneto {

inline void put_varint(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) out.push_back(static_cast<char>(0x80 | (number & 0x7F)));
  out.push_back(static_cast<char>(number));
}

// Takes a number off the front, which `put_varint` wrote.
inline std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return number;
  }
}

}  // namespace agneto
