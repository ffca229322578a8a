#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule same_answer = {
    {"W429", "same-answer", "a question of which every answer does the same",
     R"(Whatever the person chooses, the machine goes the same way and remembers nothing of it. A gate of that
kind keeps nothing back.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      const auto* ask = std::get_if<model::Ask>(&state.activity);
      if (!ask || ask->options.size() < 2) return;
      const Transition* first = nullptr;
      for (const model::Option& option : ask->options) {
        const Transition* taken = first_taker(machine, state, option.name);
        if (!taken) return;
        const bool plain =
            taken->guard == none && taken->actions.empty() && !taken->targets.empty();
        if (!plain || option.feedback != model::Need::none || option.edit != none) return;
        if (first && first->targets != taken->targets) return;
        first = taken;
      }
      // What has asked and ends has nothing to keep back.
      if (machine.state(first->targets.front()).kind == StateKind::final) return;
      report(state.span, "each answer to '{}' leads to the same", state.name)
          .help("let one of them lead elsewhere, or do not ask")
          .related(first->span, "where the last one leads");
    }};

}  // namespace agneto::lint
