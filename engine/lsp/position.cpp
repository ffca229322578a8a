#include "lsp/position.h"

#include <algorithm>

#include "base/text.h"
#include "lsp/protocol.h"

namespace agneto::lsp {

namespace {

constexpr std::string_view scheme = "file://";

std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = text[i] == '%' && i + 2 < text.size()
                          ? parse_number<unsigned>(text.substr(i + 1, 2), 16)
                          : std::nullopt;
    result += byte ? static_cast<char>(*byte) : text[i];
    if (byte) i += 2;
  }
  return result;
}

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

LineIndex::LineIndex(std::string_view text, Encoding encoding) : text_(text), encoding_(encoding) {
  starts_.push_back(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  for (std::size_t i = starts_.front(); i < text.size(); ++i) {
    const bool paired = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (text[i] == '\n' || (text[i] == '\r' && !paired)) starts_.push_back(i + 1);
  }
}

std::size_t LineIndex::end_of(std::size_t line) const {
  std::size_t end = line + 1 < starts_.size() ? starts_[line + 1] : text_.size();
  while (end > starts_[line] && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return end;
}

std::size_t LineIndex::offset(const Json& position) const {
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

Json LineIndex::position(std::size_t offset) const {
  offset = std::clamp(offset, starts_.front(), text_.size());
  const auto after = std::ranges::upper_bound(starts_, offset);
  const std::size_t line = static_cast<std::size_t>(after - starts_.begin()) - 1;
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

Json LineIndex::range(std::size_t begin, std::size_t end) const {
  return {{"start", position(begin)}, {"end", position(end)}};
}

std::filesystem::path to_path(std::string_view uri) {
  if (!uri.starts_with(scheme)) return {};
  uri.remove_prefix(scheme.size());
  if (uri.starts_with("localhost/")) uri.remove_prefix(9);
  if (!uri.starts_with('/')) return {};
  return std::filesystem::path(decoded(uri.substr(0, uri.find_first_of("?#")))).lexically_normal();
}

std::string to_uri(const std::filesystem::path& path) {
  return std::string(scheme) + percent_escaped(path.generic_string(), "-._~/");
}

}  // namespace agneto::lsp
