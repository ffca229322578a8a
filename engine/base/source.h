// A text that was read, and places in it.
//
// A Source owns a file's text and finds lines in it; a Span names a stretch of one. Spans live
// inside trees and models, so what holds spans keeps their sources alive, as System does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agneto {

// 1-based; columns count bytes. Line 0 means "no place".
struct Position {
  int line = 0;
  int column = 0;
};

struct Span;

// Lines end in "\n" or "\r\n"; a byte-order mark belongs to no line.
class Source {
 public:
  Source(std::string path, std::string text);

  // The path as the user gave it, which messages show.
  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }

  Position position(std::size_t offset) const;
  // The text of a 1-based line without its line end; empty past the end.
  std::string_view line(int number) const;
  // Offset of the first byte of a 1-based line; the text's size past the end.
  std::size_t line_start(int number) const;
  // The bytes [begin, end).
  Span span(std::size_t begin, std::size_t end) const;
  // Where the text of a 1-based line stands, without its indentation.
  Span words_of_line(int number) const;
  int line_count() const { return static_cast<int>(starts_.size()); }

 private:
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> starts_;
};

using SourcePtr = std::shared_ptr<const Source>;

// Bytes [begin, end) of a source. Default: nowhere.
struct Span {
  const Source* source = nullptr;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  explicit operator bool() const { return source != nullptr; }
  // What stands there; for a span of a source.
  std::string_view text() const {
    return std::string_view(source->text()).substr(begin, end - begin);
  }
  Position position() const { return source ? source->position(begin) : Position{}; }
  int line() const { return position().line; }
};

}  // namespace agneto
