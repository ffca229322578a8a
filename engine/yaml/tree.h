// YAML text -> a tree in which every key and value knows its place.
//
// Built on yaml-cpp's event parser. Reports everything it can (duplicate keys, aliases, tags,
// values cut by a comment) and goes on; gives no tree only where YAML itself cannot be parsed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"

namespace agneto::yaml {

// null: nothing, `~` or `null` written plain; its text is as written.
enum class Kind { null, scalar, sequence, map };
enum class Style { plain, single_quoted, double_quoted, literal, folded };

struct Entry;

struct Node {
  Kind kind = Kind::null;
  Style style = Style::plain;
  Span span;                // the value's own bytes; for block collections from first to last child
  std::string text;         // scalars: the value after YAML's own unquoting and folding
  std::vector<Node> items;  // sequences
  std::vector<Entry> entries;  // maps, in document order; duplicates are reported and dropped

  bool is_plain() const { return style == Style::plain; }

  // Scalars: the 1-based source line on which each line of `text` stands.
  std::vector<int> lines() const;

  // Scalars whose lines were joined on the way from source to `text` (`>`, or plain or quoted over
  // several lines): in code, a `--` comment would swallow what follows it.
  bool is_folded() const;

  // The items of a sequence; of all else the node itself.
  std::span<const Node> one_or_all() const;

  // Maps: the value under a key, or null.
  const Node* find(std::string_view key) const;
  // The same, with its key, to be changed.
  Entry* find_entry(std::string_view key);
};

struct Entry {
  Node key;  // always a scalar
  Node value;
};

// Deeper nesting is refused.
inline constexpr int max_depth = 256;

// Null only where the text is not YAML (its one error is reported), is nested too deep, or is empty
// (reported too).
std::unique_ptr<Node> parse(const SourcePtr& source, Diagnostics& diagnostics);

// The file's comments, which the tree does not have: from their `#` to the end of the line, in
// order. None where the text is not YAML.
std::vector<Span> comments(const SourcePtr& source);

}  // namespace agneto::yaml
