// Places as the protocol has them: files are URIs; lines and characters count from 0, in UTF-16
// code units unless the client takes bytes of UTF-8.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/source.h"

namespace agneto::lsp {

enum class Encoding { utf8, utf16 };

// The lines of a text, which must outlive it. A line ends in "\n", "\r\n" or "\r", as the protocol
// says; a byte-order mark belongs to no line.
class LineIndex {
 public:
  LineIndex(std::string_view text, Encoding encoding);

  // A line past the end is the end of the text, a character past a line's end is the line's end,
  // one inside of a character is its beginning. Throws InvalidParams where it is no position.
  std::size_t offset(const Json& position) const;
  Json position(std::size_t offset) const;
  Json range(std::size_t begin, std::size_t end) const;

 private:
  std::size_t end_of(std::size_t line) const;

  std::string_view text_;
  Encoding encoding_;
  std::vector<std::size_t> starts_;
};

// The indexes of several texts, each made once. The sources must outlive it.
class LineIndexes {
 public:
  explicit LineIndexes(Encoding encoding) : encoding_(encoding) {}
  const LineIndex& of(const Source& source) {
    return known_.try_emplace(&source, source.text(), encoding_).first->second;
  }

 private:
  Encoding encoding_;
  std::map<const Source*, LineIndex> known_;
};

// file:///home/ada/flow.yaml -> /home/ada/flow.yaml, lexically normal; empty where the URI
// names no file of this machine.
std::filesystem::path to_path(std::string_view uri);
std::string to_uri(const std::filesystem::path& path);

}  // namespace agneto::lsp
