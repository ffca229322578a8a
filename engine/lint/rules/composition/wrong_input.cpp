#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"
#include "lint/static_type.h"

namespace agneto::lint {

namespace {

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    for (const model::State& state : machine.states) {
      const model::Delegate* delegate = model::delegate_of(state.activity);
      if (!delegate) continue;
      const auto& inputs = subject.system.machine(delegate->machine).inputs;
      for (const model::Binding& with : delegate->with) {
        const auto input = std::find_if(inputs.begin(), inputs.end(),
                                        [&](const auto& one) { return one.name == with.name; });
        const Piece& piece = subject.piece(machine, with.value);
        if (input == inputs.end() || !piece.tree) continue;
        const lua::Node& value = piece.tree->children[0].children[0];
        const auto type = static_type(machine, value);
        const bool wrong =
            is_no_choice(input->type, value) || (type && are_disjoint(*type, input->type));
        if (!wrong) continue;
        Diagnostic& finding = diagnostics.warning(
            wrong_input.name, piece.code->span,
            fmt::format("the input '{}' is of type {}, which this value never is", input->name,
                        model::to_text(input->type)));
        finding.help = fmt::format("'{}' would end in error.lua", state.name);
        finding.related.push_back({input->span, "it is declared here"});
      }
    }
  }
}

}  // namespace

const Check wrong_input = {"wrong-input", check};

}  // namespace agneto::lint
