#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule unitless_delay = {
    {"W237", "unitless-delay", "a delay that comes to a number",
     R"(A delay is a duration, such as the text "30m". A number is taken for milliseconds, which are over
before a person, an agent or a program has done anything.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      using Kind = model::Type::Kind;
      for (const Transition& transition : machine.transitions) {
        if (transition.delay_code == none ||
            transition.timer != &transition - machine.transitions.data()) {
          continue;
        }
        const Piece& piece = context.piece(machine, transition.delay_code);
        const Typed* lua = context.typed(machine, transition.delay_code);
        const auto type = lua ? lua->certain(lua->value()) : std::nullopt;
        if (!type || (type->kind != Kind::integer && type->kind != Kind::number)) continue;
        const std::string text(trim(piece.code->text));
        report(piece.code->span, "'{}' is a number of milliseconds here", text)
            .help("make a duration of it, with its unit: {} .. \"s\"", text);
      }
    }};

}  // namespace agneto::lint
