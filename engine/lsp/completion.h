// What may be written where the cursor is.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/outline.h"

namespace agneto::lsp {

struct Suggestion {
  // The numbers are the protocol's CompletionItemKind whose icon comes nearest.
  enum class Kind {
    function = 3,
    field = 5,
    variable = 6,
    state = 7,  // class
    agent = 8,  // interface
    key = 10,   // property
    value = 12,
    file = 17,
    event = 23,
    type = 25,
  };
  Kind kind = Kind::value;
  std::string label = {};
  std::string insert = {};  // empty: the label
  std::string detail = {};  // one line
  std::string documentation = {};
};

struct Completions {
  std::vector<Suggestion> suggestions;
  std::size_t begin = 0;  // of the word before the cursor, which they replace

  // Each label is added once, and the word that is being typed never.
  void add(Suggestion suggestion);
  void add_all(Suggestion::Kind kind, const std::vector<std::string>& labels);

 private:
  std::set<std::string> known_;
};

// Completes a machine's file, which may be half typed. `files` are those that machines and hooks
// may be.
Completions complete(const fs::path& path, const std::string& text, std::size_t offset,
                     const std::set<fs::path>& files, Outlines& outlines);

// Completes a hook module. `machines` are those with an agent that uses it.
Completions complete_module(const std::string& text, std::size_t offset,
                            const std::vector<OutlinePtr>& machines);

// Completes a piece of Lua in a machine's file. `before` is the source of its scalar up to the
// cursor; the word begins at a place in that.
Completions complete_lua(const OutlinePtr& outline, const NodeContext& place,
                         std::string_view before, Outlines& outlines);

}  // namespace agneto::lsp
