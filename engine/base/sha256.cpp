#include <nettle/base16.h>
#include <nettle/sha2.h>

#include <array>

#include "base/text.h"

namespace agneto {

std::string sha256(std::string_view text) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest;
  sha256_digest(&context, digest.size(), digest.data());
  std::string hex(BASE16_ENCODE_LENGTH(digest.size()), '\0');
  base16_encode_update(hex.data(), digest.size(), digest.data());
  return hex;
}

}  // namespace agneto
