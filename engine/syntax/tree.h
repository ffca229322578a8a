// YAML text -> a tree in which every key and value knows its place.
//
// Built on yaml-cpp's event parser. Reports everything it can (duplicate keys, aliases, ambiguous
// scalars) and goes on; gives no tree only where YAML itself cannot be parsed.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"

namespace agneto::syntax {

enum class Kind { null, scalar, sequence, map };
enum class Style { plain, single_quoted, double_quoted, literal, folded };

struct Entry;

struct Node {
  Kind kind = Kind::null;
  Style style = Style::plain;
  Span span;                 // the value's own bytes; for collections from first to last child
  std::string text;          // scalars: the value after YAML's own unquoting and folding
  std::vector<Node> items;   // sequences
  std::vector<Entry> entries;  // maps, in document order; duplicates are reported and dropped

  // Scalars: the 1-based source line on which line `n` (0-based) of `text` stands.
  int line_of(int n) const;

  // Maps: the value under a key, or null.
  const Node* find(std::string_view key) const;
};

struct Entry {
  Node key;  // always a scalar
  Node value;
};

// Null only where the text is not YAML (its one error is reported), or is empty.
std::unique_ptr<Node> parse(const SourcePtr& source, Diagnostics& diagnostics);

}  // namespace agneto::syntax
