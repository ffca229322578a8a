// Any bytes from an editor: the same messages, however the bytes are cut, and none longer than what
// was said.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/framing.h"

namespace {

using agneto::lsp::Decoder;
using Frames = std::vector<std::pair<std::string, std::string>>;

void read(Decoder& decoder, Frames& frames) {
  while (auto frame = decoder.next()) {
    frames.emplace_back(std::move(frame->content), std::move(frame->wrong));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Decoder whole;
  Frames frames;
  whole.feed(text);
  read(whole, frames);
  std::size_t out = 0;
  for (const auto& [content, wrong] : frames) out += content.size();
  if (out > size) std::abort();

  Decoder pieces;
  Frames of_pieces;
  for (std::string_view left = text; !left.empty();) {
    const std::size_t piece = std::min<std::size_t>(left.size(), left.front() % 16U + 1);
    pieces.feed(left.substr(0, piece));
    left.remove_prefix(piece);
    read(pieces, of_pieces);
  }
  if (frames != of_pieces) std::abort();
  return 0;
}
