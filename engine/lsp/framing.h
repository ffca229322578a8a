// The base of the Language Server Protocol: JSON with a header in front that says how long it is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace agneto::lsp {

// Takes bytes as they come and gives the contents of messages. What has no usable header is passed
// over up to the next `Content-Length`, so that one bad message does not take others with it.
class Decoder {
 public:
  struct Frame {
    std::string content;
    std::string wrong;  // what is wrong with the header; there is no content then
  };

  void feed(std::string_view bytes) { buffer_ += bytes; }
  // Nothing until more bytes come.
  std::optional<Frame> next();

  static constexpr std::size_t longest_header = 8 * 1024;
  static constexpr std::size_t longest_content = 64 * 1024 * 1024;

 private:
  std::optional<Frame> refuse(std::string why);

  std::string buffer_;
  std::optional<std::size_t> length_;  // of the content that begins the buffer
  std::size_t skipping_ = 0;           // so many bytes of a content that is too long
  bool lost_ = false;                  // looks for the next header
};

// The message with its header.
std::string framed(const Json& message);

}  // namespace agneto::lsp
