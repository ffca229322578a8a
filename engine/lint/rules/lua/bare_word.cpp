#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/rule.h"
#include "script/scan.h"

namespace agneto::lint {

namespace {

constexpr std::array<std::string_view, 8> known = {"inputs", "ctx", "event", "run",
                                                   "null",   "nil", "true",  "false"};

bool is_one_word(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

extern const LintRule bare_word = {
    {"W504", "bare-word", "a Lua expression of one word that is no name",
     R"(The value is Lua, where a word is a name, and one that Lua does not know an error. A text is written
`'"word"'`, with quotes for Lua inside the quotes for YAML; an entry of the context is `ctx.word`, an
input `inputs.word`.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      for (const model::Code& code : machine.code) {
        if (code.kind != model::Code::Kind::expression) continue;
        const std::string without_comments = script::scan(code.text).code;
        const std::string_view text = trim(without_comments);
        if (!is_one_word(text)) continue;
        if (std::ranges::find(known, text) != known.end()) continue;
        if (!code.item.empty() && (text == code.item || text == "index")) continue;
        report(code.span, "'{}' is Lua here, and names nothing that Lua knows", text)
            .help("for the text write '\"{}\"'; for an entry of the context, ctx.{}", text, text);
      }
    }};

}  // namespace agneto::lint
