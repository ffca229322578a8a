#include "lsp/position.h"

#include <algorithm>

#include "base/text.h"
#include "lsp/protocol.h"

namespace agneto::lsp {

namespace {

std::size_t units(const Character& character, Encoding encoding) {
  if (encoding == Encoding::utf8) return character.size;
  return character.valid && character.code > 0xFFFF ? 2 : 1;
}

std::size_t number(const Json& position, const char* name) {
  const auto found = position.is_object() ? position.find(name) : position.end();
  if (found == position.end() || !found->is_number_integer() || *found < 0) {
    throw InvalidParams("a position is {line, character}, both zero or more");
  }
  return found->get<std::size_t>();
}

}  // namespace

Lines::Lines(std::string_view text, Encoding encoding) : text_(text), encoding_(encoding) {
  starts_.push_back(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  for (std::size_t i = starts_.front(); i < text.size(); ++i) {
    const bool paired = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (text[i] == '\n' || (text[i] == '\r' && !paired)) starts_.push_back(i + 1);
  }
}

std::size_t Lines::line_of(std::size_t offset) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return next == starts_.begin() ? 0 : static_cast<std::size_t>(next - starts_.begin()) - 1;
}

std::size_t Lines::end_of(std::size_t line) const {
  std::size_t end = line + 1 < starts_.size() ? starts_[line + 1] : text_.size();
  while (end > starts_[line] && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return end;
}

std::size_t Lines::line_begin(std::size_t offset) const {
  return starts_[line_of(offset)];
}

std::size_t Lines::line_end(std::size_t offset) const {
  return end_of(line_of(offset));
}

std::size_t Lines::offset(const Json& position) const {
  const std::size_t line = number(position, "line");
  const std::size_t character = number(position, "character");
  if (line >= starts_.size()) return text_.size();
  const std::size_t end = end_of(line);
  std::size_t at = starts_[line];
  for (std::size_t counted = 0; at < end;) {
    const Character next = character_at(text_, at);
    counted += units(next, encoding_);
    if (counted > character) break;
    at += next.size;
  }
  return at;
}

Json Lines::position(std::size_t offset) const {
  offset = std::clamp(offset, starts_.front(), text_.size());
  const std::size_t line = line_of(offset);
  const std::size_t end = std::min(offset, end_of(line));
  std::size_t counted = 0;
  for (std::size_t at = starts_[line]; at < end;) {
    const Character next = character_at(text_, at);
    if (at + next.size > end) break;
    counted += units(next, encoding_);
    at += next.size;
  }
  return {{"line", line}, {"character", counted}};
}

Json Lines::range(std::size_t begin, std::size_t end) const {
  return {{"start", position(begin)}, {"end", position(end)}};
}

}  // namespace agneto::lsp
