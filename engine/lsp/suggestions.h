// Suggestions as they are found.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lsp/completion.h"

namespace agneto::lsp {

struct Suggestions {
  std::vector<Suggestion> all;

  // Each label once, and never the word that is being typed.
  void add(Suggestion suggestion);
  void add_all(Suggestion::Kind kind, const std::vector<std::string>& labels);

 private:
  std::set<std::string> known_;
};

}  // namespace agneto::lsp
