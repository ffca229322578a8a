#include <algorithm>

#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// Does the code look at `event.edited`, or at the whole event?
bool reads_edited(const Piece& piece) {
  if (!piece.tree) return true;
  int events = 0;
  int other_fields = 0;
  lua::walk(*piece.tree, [&](const Node& node) {
    const std::string* field = lua::field_of(node, "event");
    events += node.is(Node::Kind::global, "event");
    other_fields += field && *field != "edited" && *field != "data";
  });
  return events > other_fields;
}

// What runs where the transition is taken from the state, as far as it is the same each time.
std::vector<CodeId> run_by(const Machine& machine, const State& state, const Transition& taken) {
  std::vector<CodeId> codes = taken.actions;
  if (taken.guard != none) codes.push_back(taken.guard);
  const auto add = [&](const std::vector<CodeId>& more) {
    codes.insert(codes.end(), more.begin(), more.end());
  };
  for (const State* around : lineage(machine, state.id)) add(around->exit);
  for (const StateId target : taken.targets) {
    const StateId inner = entered(machine, target);
    for (const State* around : lineage(machine, inner == none ? target : inner)) add(around->entry);
  }
  return codes;
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
          return std::ranges::any_of(
              run_by(machine, state, machine.transitions[id]),
              [&](CodeId code) { return reads_edited(context.piece(machine, code)); });
        });
        if (takers.empty() || taken) continue;
        report(option.span, "nothing takes over what is edited with '{}'", option.name)
            .help("take it in the transition: {}: {{target: STATE, do: ctx.NAME = event.edited}}",
                  option.name);
      }
    }};

}  // namespace agneto::lint
