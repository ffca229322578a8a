#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule wrong_assignment = {
    {"W310", "wrong-assignment", "a value that a context entry's type does not allow",
     R"(Types are checked when the block ends: a value that does not fit is not taken, and `error.lua` is
raised. A choice takes the texts that it lists, and no other.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Piece& piece : context.pieces(machine)) {
        if (!piece.tree) continue;
        each_assignment(*piece.tree, [&](const Assignment& one) {
          const model::Variable* variable = variable_of(machine, one.target);
          if (!variable || !one.value) return;
          if (is_no_choice(variable->type, *one.value)) {
            report(place(piece, *one.value), "\"{}\" is none of the choices of ctx.{}",
                   one.value->text, variable->name)
                .help(suggestion(one.value->text, variable->type.choices, "choices"));
            return;
          }
          const auto type = static_type(machine, *one.value);
          if (!type || !are_disjoint(*type, variable->type)) return;
          report(place(piece, *one.value), "ctx.{} is of type {}, which this value never is",
                 variable->name, model::to_text(variable->type))
              .help("the entry would keep its old value, and error.lua be raised")
              .related(variable->span, "it is declared here");
        });
      }
    }};

}  // namespace agneto::lint
