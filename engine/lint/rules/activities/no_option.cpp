#include <algorithm>

#include "lint/explore/explore.h"
#include "lint/explore/player.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule no_option = {
    {"W440", "no-option", "a question of which no option is offered, or not its default",
     R"(An option with `when` is offered where that is true. Where it is true of none, nobody can answer and the
question ends in `error.lua`; where it is false of the default, a run suspends in which nobody can be
asked. Let one option, the default, always be offered.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const Exploration& found = context.exploration(machine, Numbers::small);
      for (const Unoffered& one : found.unoffered) {
        const bool is_said =
            !one.all && std::ranges::any_of(found.unoffered, [&](const auto& other) {
              return other.all && other.state == one.state;
            });
        if (is_said) continue;
        const State& state = machine.state(one.state);
        const auto& ask = std::get<model::Ask>(state.activity);
        Played played = play_to(context, machine, found, one.at);
        const char* how = played.confirmed ? "can be" : "may be";
        (one.all ? report(state.span, "'{}' {} asked where none of its options is offered",
                          state.name, how)
                 : report(state.span, "'{}' {} asked where its default '{}' is not offered",
                          state.name, how, ask.default_option))
            .help("let one option do without `when`, and be the default")
            .trace(std::move(played.trace));
      }
    },
    true};

}  // namespace agneto::lint
