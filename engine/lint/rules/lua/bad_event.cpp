#include "lint/rule.h"
#include "model/values.h"

namespace agneto::lint {

extern const LintRule bad_event = {
    {"W510", "bad-event", "a text that is no event's name, in `raise` or `send`",
     R"(An event's name is letters, digits, `_`, `-` and dots, and begins with a letter or `_`. To raise
anything else raises `error.lua` instead.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Raised& one : context.raised(machine).all()) {
        if (one.function == "cancel" || !one.name || model::is_name(*one.name, true)) continue;
        report(place(*one.piece, *one.call), "'{}' is no event's name, and to {} it is an error",
               *one.name, one.function)
            .help("a name is letters, digits, '_', '-' and dots, and begins with a letter");
      }
    }};

}  // namespace agneto::lint
