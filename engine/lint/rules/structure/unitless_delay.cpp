#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule unitless_delay = {
    {"W237", "unitless-delay", "a delay that comes to a number, or to a text without a unit",
     R"(A delay is a duration, such as the text "30m". A number is taken for milliseconds, which are over
before a person, an agent or a program has done anything. A text that is no duration, as one that ends in
`min` or `hours`, is an error: the timer does not begin. The units are `ms`, `s`, `m`, `h` and `d`.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      using Kind = model::Type::Kind;
      for (const Transition& transition : machine.transitions) {
        if (transition.delay_code == none ||
            transition.timer != &transition - machine.transitions.data()) {
          continue;
        }
        const Piece& piece = context.piece(machine, transition.delay_code);
        const Typed* lua = context.typed(machine, transition.delay_code);
        if (!lua) continue;
        each_result(lua->value(), [&](const Node& result) {
          const std::string* end = unit_that_is_none(result);
          if (!end) return;
          report(lua->place(result), "no duration ends in '{}', so that this timer never begins",
                 printable(*end))
              .help("the units are ms, s, m, h and d, without a space before them, as in \"5m\"");
        });
        const auto type = lua->certain(lua->value());
        if (!type || (type->kind != Kind::integer && type->kind != Kind::number)) continue;
        const std::string text(trim(piece.code->text));
        report(piece.code->span, "'{}' is a number of milliseconds here", text)
            .help("make a duration of it, with its unit: {} .. \"s\"", text);
      }
    }};

}  // namespace agneto::lint
