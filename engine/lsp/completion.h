// What may be written where the cursor is.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lsp/outlines.h"

namespace agneto::lsp {

struct Suggestion {
  enum class Kind { key, state, agent, event, function, field, variable, value, type, file };
  Kind kind = Kind::value;
  std::string label = {};
  std::string insert = {};  // empty: the label
  std::string detail = {};  // one line
  std::string documentation = {};
};

struct Completions {
  std::vector<Suggestion> suggestions;
  std::size_t begin = 0;  // of the word before the cursor, which they replace
};

// The text may be one that is half typed. `files`: those that machines and hooks may be.
Completions complete(const fs::path& path, const std::string& text, std::size_t offset,
                     const std::set<fs::path>& files, Outlines& outlines);

// The same in a hook module; `machines`: those with an agent that uses it.
Completions complete_module(const std::string& text, std::size_t offset,
                            const std::vector<OutlinePtr>& machines);

}  // namespace agneto::lsp
