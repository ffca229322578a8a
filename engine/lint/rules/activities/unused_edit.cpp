#include <algorithm>

#include "lint/expressions.h"
#include "lint/rule.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// Does the code look at `event.edited`, or at all of the event's data?
bool reads_edited(const Piece& piece) {
  if (!piece.tree) return true;
  return any_node(*piece.tree, [](const Node& node) {
    const std::string* field = lua::field_of(node, "event");
    return field && (*field == "edited" || *field == "data");
  });
}

}  // namespace

extern const LintRule unused_edit = {
    {"W434", "unused-edit", "a text that a person edits and nothing takes over",
     R"(An option with `edit` opens a text in the person's editor, and what comes of it is `event.edited`. Where
no transition on the option looks at it, the edit is lost.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto* ask = std::get_if<model::Ask>(&state.activity);
      if (!ask) return;
      for (const model::Option& option : ask->options) {
        if (option.edit == none) continue;
        const auto takers = model::takers(machine, state.id, option.name);
        const bool taken = std::ranges::any_of(takers, [&](TransitionId id) {
          const Transition& transition = machine.transitions[id];
          const auto reads = [&](CodeId code) {
            return reads_edited(context.piece(machine, code));
          };
          return std::ranges::any_of(transition.actions, reads) ||
                 (transition.guard != none && reads(transition.guard));
        });
        if (takers.empty() || taken) continue;
        report(option.span, "nothing takes over what is edited with '{}'", option.name)
            .help("take it in the transition: {}: {{target: STATE, do: ctx.NAME = event.edited}}",
                  option.name);
      }
    }};

}  // namespace agneto::lint
