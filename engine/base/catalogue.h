// Every mistake that Agneto reports in a file is an instance of a rule; this is the list of them.
//
// A code is E (an error: the file cannot be used) or W (a warning: it can, and does not do what it
// seems to) and a number. No two rules share a number, so that a rule keeps it whatever its letter,
// and a number is never used again. The first digit is the family: 1 the document, 2 structure,
// 3 data, 4 activities, 5 Lua, 6 composition.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agneto {

enum class Severity { error, warning };
std::string_view to_text(Severity severity);

struct Rule {
  std::string_view code;         // "E203"
  std::string_view name;         // "undefined-target"
  std::string_view description;  // what it finds: one sentence, no full stop
  std::string_view explanation;  // why that is wrong and what to do; Markdown
  bool fixable = false;          // `--fix` corrects its example

  Severity severity() const { return code.starts_with('E') ? Severity::error : Severity::warning; }
  std::string id() const;  // "E203/undefined-target"
};

// By code's number. The rules live as long as the program.
const std::vector<const Rule*>& catalogue();

// By code, name or id, in whatever case; null where there is none.
const Rule* find_rule(std::string_view code_or_name);
// What to say of a rule that find_rule does not know: "did you mean 'undefined-target' (E203)?"
std::string rule_suggestion(std::string_view code_or_name);

// A family a file (catalogue_FAMILY.cpp).
std::span<const Rule> document_rules();
std::span<const Rule> structure_rules();
std::span<const Rule> data_rules();
std::span<const Rule> activity_rules();
std::span<const Rule> lua_rules();
std::span<const Rule> composition_rules();

}  // namespace agneto
