// A rule: a kind of mistake in a file. A finding is an instance of one (diagnostic.h).
//
// Its code is E (an error: the file cannot be used) or W (a warning: it can, and does not do what
// it seems to) and a number. No two rules share a number, so that a rule keeps it whatever its
// letter, and a number is never used again. The first digit is the family: 1 the document, 2
// structure, 3 data, 4 activities, 5 Lua, 6 composition.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace agneto {

enum class Severity { error, warning };
constexpr std::string_view to_text(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

// A number that a rule goes by, and that a team may set.
struct Parameter {
  enum class Kind { number, duration };

  std::string_view name;     // "person"
  std::string_view meaning;  // what it says: the end of a sentence
  Kind kind = Kind::number;
  double usual = 0;  // unless a team says otherwise; a duration in milliseconds
  double least = 0;
};

struct Rule {
  std::string_view code;         // "E203"
  std::string_view name;         // "undefined-target"
  std::string_view description;  // what it finds: one sentence, no full stop
  std::string_view explanation;  // why that is wrong and what to do; Markdown
  bool fixable = false;          // `--fix` corrects its example
  std::span<const Parameter* const> parameters = {};

  constexpr Severity severity() const {
    return code.starts_with('E') ? Severity::error : Severity::warning;
  }
  // "E203/undefined-target"
  std::string id() const { return std::string(code) + "/" + std::string(name); }
};

}  // namespace agneto
