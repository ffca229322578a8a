// "did you mean 'X'?" for the mistakes of a workflow.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace agneto::model {

// What is near to a name is found by comparing it with every name there is. In a file with
// thousands of mistakes and of names that would take longer than all else, so that the last ones of
// very many get no suggestion.
class Suggestions {
 public:
  // As agneto::suggest, of the names that `names()` gives; does nothing when it has given up.
  template <typename Names>
  void give(Diagnostic& finding, std::string_view name, std::string_view kind, Names names) {
    if (compared_ >= most_compared) return;
    const auto& known = names();
    compared_ += known.size();
    suggest(finding, name, known, kind);
  }

 private:
  static constexpr std::size_t most_compared = 5'000'000;
  std::size_t compared_ = 0;
};

}  // namespace agneto::model
