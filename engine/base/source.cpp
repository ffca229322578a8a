#include "base/source.h"

#include <algorithm>

namespace agneto {

namespace {
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
}

Source::Source(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)) {
  starts_.push_back(text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) {
    starts_.push_back(static_cast<std::uint32_t>(at + 1));
  }
}

Position Source::position(std::size_t offset) const {
  offset = std::clamp<std::size_t>(offset, starts_.front(), text_.size());
  auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return {static_cast<int>(next - starts_.begin()), static_cast<int>(offset - *(next - 1)) + 1};
}

std::string_view Source::line(int number) const {
  if (number < 1 || number > line_count()) return {};
  const std::size_t begin = line_start(number);
  std::size_t end = number == line_count() ? text_.size() : line_start(number + 1) - 1;
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

Span Source::span(std::size_t begin, std::size_t end) const {
  return {this, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

Span Source::words_of_line(int number) const {
  const std::string_view text = line(number);
  const std::size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t start = line_start(number);
  return span(start + indent, start + text.size());
}

std::size_t Source::line_start(int number) const {
  return number > line_count() ? text_.size() : starts_[std::max(number, 1) - 1];
}

}  // namespace agneto
