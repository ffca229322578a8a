#include <algorithm>
#include <cctype>

#include "lint/rule.h"

namespace agneto::lint {

namespace {

bool is_event_name(const std::string& name) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  return !name.empty() && is_letter(static_cast<unsigned char>(name[0])) && name.back() != '.' &&
         std::ranges::all_of(name, [&](unsigned char c) {
           return is_letter(c) || std::isdigit(c) != 0 || c == '.' || c == '-';
         });
}

}  // namespace

extern const LintRule bad_event = {
    {"W510", "bad-event", "a text that is no event's name, in `raise` or `send`",
     R"(An event's name is letters, digits, `_`, `-` and dots, and begins with a letter or `_`. To raise
anything else raises `error.lua` instead.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Raised& one : context.raised(machine).all()) {
        if (one.function == "cancel" || !one.name || is_event_name(*one.name)) continue;
        report(place(*one.piece, *one.call), "'{}' is no event's name, and to {} it is an error",
               *one.name, one.function)
            .help("a name is letters, digits, '_', '-' and dots, and begins with a letter");
      }
    }};

}  // namespace agneto::lint
