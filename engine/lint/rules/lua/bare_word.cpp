#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/check.h"
#include "script/scan.h"

namespace agneto::lint {

namespace {

constexpr std::array<std::string_view, 8> known = {"inputs", "ctx", "event", "run",
                                                   "null",   "nil", "true",  "false"};

bool is_word(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    for (const model::Code& code : machine.code) {
      if (code.kind != model::Code::Kind::expression) continue;
      const std::string without_comments = script::scan(code.text).code;
      const std::string_view text = trim(without_comments);
      if (!is_word(text)) continue;
      if (std::find(known.begin(), known.end(), text) != known.end()) continue;
      if (!code.item.empty() && (text == code.item || text == "index")) continue;
      diagnostics
          .warning(bare_word.name, code.span,
                   fmt::format("'{}' is Lua here, and names nothing that Lua knows", text))
          .help = fmt::format("for the text write '\"{}\"'; for an entry of the context, ctx.{}",
                              text, text);
    }
  }
}

}  // namespace

const Check bare_word = {"bare-word", check};

}  // namespace agneto::lint
