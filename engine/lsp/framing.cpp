#include "lsp/framing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace agneto::lsp {

namespace {

constexpr std::string_view length_name = "content-length";
constexpr std::string_view header_end = "\r\n\r\n";

struct Header {
  std::optional<std::size_t> length = {};
  std::string wrong = {};  // there is no length then
};

Header read_header(std::string_view text) {
  Header header;
  for (const std::string_view line : split_lines(text)) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) {
      return {.wrong = fmt::format("the header has a line without a colon: '{}'",
                                   shortened(printable(valid_utf8(line)), 60))};
    }
    if (lower(trim(line.substr(0, colon))) != length_name) continue;
    const std::string_view value = trim(line.substr(colon + 1));
    header.length = parse_number<std::size_t>(value);
    if (!header.length) {
      return {.wrong = fmt::format("the Content-Length is no number of bytes: '{}'",
                                   shortened(printable(valid_utf8(value)), 60))};
    }
  }
  if (!header.length) header.wrong = "the header has no Content-Length";
  return header;
}

}  // namespace

std::optional<Decoder::Frame> Decoder::refuse(std::string why) {
  lost_ = true;
  return Frame{{}, std::move(why)};
}

std::optional<Decoder::Frame> Decoder::next() {
  if (skipping_ > 0) {
    const auto gone = std::min(skipping_, buffer_.size());
    buffer_.erase(0, gone);
    skipping_ -= gone;
    if (skipping_ > 0) return std::nullopt;
  }
  if (lost_) {
    const auto at = lower(buffer_).find(length_name);
    if (at == std::string::npos) {  // its beginning may be there
      if (buffer_.size() > length_name.size()) {
        buffer_.erase(0, buffer_.size() - length_name.size());
      }
      return std::nullopt;
    }
    buffer_.erase(0, at);
    lost_ = false;
  }
  if (!length_) {
    const auto end = buffer_.find(header_end);
    if (end == std::string::npos) {
      if (buffer_.size() <= longest_header) return std::nullopt;
      buffer_.erase(0, 1);
      return refuse(fmt::format("there is no end of a header in {} bytes", longest_header));
    }
    Header header = read_header(std::string_view(buffer_).substr(0, end));
    if (!header.wrong.empty()) {
      // Another header may have begun in what was taken for this one.
      const auto again = lower(std::string_view(buffer_).substr(0, end)).find(length_name, 1);
      buffer_.erase(0, again == std::string::npos ? end + header_end.size() : again);
      return refuse(std::move(header.wrong));
    }
    buffer_.erase(0, end + header_end.size());
    if (*header.length > longest_content) {
      skipping_ = *header.length;
      return Frame{
          {}, fmt::format("a message of {} bytes is longer than {}", skipping_, longest_content)};
    }
    length_ = header.length;
  }
  if (buffer_.size() < *length_) return std::nullopt;
  Frame frame{buffer_.substr(0, *length_), {}};
  buffer_.erase(0, *length_);
  length_.reset();
  return frame;
}

std::string framed(const Json& message) {
  const std::string content = to_text(message);
  return fmt::format("Content-Length: {}\r\n\r\n{}", content.size(), content);
}

}  // namespace agneto::lsp
