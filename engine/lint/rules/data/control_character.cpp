#include <algorithm>
#include <string_view>

#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

struct Escape {
  char character;
  std::string_view written;
  std::string_view name;
};

constexpr Escape escapes[] = {{'\a', "\\a", "a bell"},
                              {'\b', "\\b", "a backspace"},
                              {'\v', "\\v", "a vertical tab"},
                              {'\f', "\\f", "a form feed"}};

void check(std::string_view text, Span span, const Reporter& report) {
  for (const Escape& escape : escapes) {
    if (text.find(escape.character) == text.npos) continue;
    report(span, "in double quotes YAML makes {} of '{}'", escape.name, escape.written)
        .help("write it behind '|' or in single quotes, which keep the backslash");
    return;
  }
}

}  // namespace

extern const LintRule control_character = {
    {"W321", "control-character", "an escape that YAML reads before the shell or Lua could",
     R"(In double quotes `\b`, `\f`, `\v` and `\a` are control characters, so that a pattern such as `\bTODO\b`
never matches anything. Write shell, arguments and Lua behind `|`, in single quotes or without any.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      for (const model::Code& code : machine.code) check(code.text, code.span, report);
      for (const State& state : machine.states) {
        const auto* program = std::get_if<model::Program>(&state.activity);
        if (!program) continue;
        check(program->shell, state.span, report);
        for (const model::Template& argument : program->argv) {
          for (const auto& part : argument.parts) check(part.text, argument.span, report);
        }
      }
    }};

}  // namespace agneto::lint
