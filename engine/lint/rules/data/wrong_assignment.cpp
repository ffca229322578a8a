#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule wrong_assignment = {
    {"W310", "wrong-assignment", "a value that a context entry's type does not allow",
     R"(Types are checked when the block ends: a value that does not fit is not taken, and `error.lua` is
raised. A choice takes the texts that it lists, and no other.)"},
    [](const Typed& lua, const Reporter& report) {
      if (!lua.piece()) return;
      each_assignment(lua.tree(), [&](const Assignment& one) {
        const model::Variable* variable = variable_of(*lua.piece()->machine, one.target);
        if (!variable || !one.value) return;
        if (is_no_choice(variable->type, *one.value)) {
          report(lua.place(*one.value), "\"{}\" is none of the choices of ctx.{}", one.value->text,
                 variable->name)
              .help(suggestion(one.value->text, variable->type.choices, "choices"));
          return;
        }
        const auto type = lua.certain(*one.value);
        if (!type || !are_disjoint(*type, variable->type)) return;
        report(lua.place(*one.value), "ctx.{} is of type {}, which this value never is",
               variable->name, model::to_text(variable->type))
            .help("the entry would keep its old value, and error.lua be raised")
            .related(variable->span, "it is declared here");
      });
    }};

}  // namespace agneto::lint
