#include "lsp/framing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/text.h"

namespace agneto::lsp {

namespace {

constexpr std::string_view length_name = "content-length";
constexpr std::string_view header_end = "\r\n\r\n";

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// What follows the name in a header's line; nothing where the line is another's.
std::optional<std::string_view> value_of(std::string_view line, std::string_view name) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || lower(trim(line.substr(0, colon))) != name) return {};
  return trim(line.substr(colon + 1));
}

struct Header {
  std::size_t length = 0;
  std::string wrong;
};

Header read_header(std::string_view text) {
  Header header;
  bool found = false;
  for (const std::string_view line : split_lines(text)) {
    if (line.find(':') == std::string_view::npos) {
      header.wrong = fmt::format("the header has a line without a colon: '{}'",
                                 shortened(printable(valid_utf8(line)), 60));
      return header;
    }
    const auto value = value_of(line, length_name);
    if (!value) continue;
    const auto [end, error] =
        std::from_chars(value->data(), value->data() + value->size(), header.length);
    if (error != std::errc() || end != value->data() + value->size()) {
      header.wrong = fmt::format("the Content-Length is no number of bytes: '{}'",
                                 shortened(printable(valid_utf8(*value)), 60));
      return header;
    }
    found = true;
  }
  if (!found) header.wrong = "the header has no Content-Length";
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
    if (header.length > longest_content) {
      skipping_ = header.length;
      return Frame{
          {},
          fmt::format("a message of {} bytes is longer than {}", header.length, longest_content)};
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
