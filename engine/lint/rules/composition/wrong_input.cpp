#include <algorithm>

#include "lint/expressions.h"
#include "lint/number_tests.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule wrong_input = {
    {"W605", "wrong-input", "a value that the machine's input does not take",
     R"(The value that `with` gives is never of the type that the other machine declares, so that the activity
ends in `error.lua` before it begins.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const model::Delegate* delegate = model::delegate_of(state.activity);
      if (!delegate) return;
      const auto& inputs = context.system.machine(delegate->machine).inputs;
      for (const model::Binding& with : delegate->with) {
        const auto input = std::ranges::find(inputs, with.name, &model::Variable::name);
        const Piece& piece = context.piece(machine, with.value);
        const Typed* lua = context.typed(machine, with.value);
        if (input == inputs.end() || !lua) continue;
        const Node& value = lua->value();
        const auto type = lua->certain(value);
        const auto number = number_of(value);
        const bool is_less = number && input->minimum && *number < *input->minimum;
        const bool is_more = number && input->maximum && *number > *input->maximum;
        if (is_less || is_more) {
          report(piece.code->span, "the input '{}' must be at {} {}", input->name,
                 is_less ? "least" : "most", is_less ? *input->minimum : *input->maximum)
              .help("'{}' would end in error.lua", state.name)
              .related(input->span, "it is declared here");
          continue;
        }
        const bool wrong =
            is_no_choice(input->type, value) || (type && are_disjoint(*type, input->type));
        if (!wrong) continue;
        report(piece.code->span, "the input '{}' is of type {}, which this value never is",
               input->name, model::to_text(input->type))
            .help("'{}' would end in error.lua", state.name)
            .related(input->span, "it is declared here");
      }
    }};

}  // namespace agneto::lint
