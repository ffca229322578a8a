#include <algorithm>

#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// Does the code look at that field of the event, or at the whole event?
bool reads(const Piece& piece, std::string_view wanted) {
  if (!piece.tree) return true;
  int events = 0;
  int other_fields = 0;
  lua::walk(*piece.tree, [&](const Node& node) {
    const std::string* field = lua::field_of(node, "event");
    events += node.is(Node::Kind::global, "event");
    other_fields += field && *field != wanted && *field != "data";
  });
  return events > other_fields;
}

// Does the transition end the machine?
bool ends(const Machine& machine, const Transition& transition) {
  return std::ranges::any_of(transition.targets, [&](StateId id) {
    const State& target = machine.state(id);
    return target.kind == StateKind::final && target.parent == 0;
  });
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
  // At its end a machine still sees the last event.
  if (ends(machine, taken)) {
    for (const model::Binding& output : machine.outputs) codes.push_back(output.value);
  }
  return codes;
}

// Does nothing look at that field where the state is left with the event?
bool is_lost(const LintContext& context, const Machine& machine, const State& state,
             const std::vector<TransitionId>& takers, std::string_view field) {
  return std::ranges::none_of(takers, [&](TransitionId id) {
    return std::ranges::any_of(run_by(machine, state, machine.transitions[id]), [&](CodeId code) {
      return reads(context.piece(machine, code), field);
    });
  });
}

// The same of words that a person has to write. Where the machine goes no further, they are for the
// record.
bool are_lost(const LintContext& context, const Machine& machine, const State& state,
              const std::vector<TransitionId>& takers) {
  const bool goes_on = std::ranges::all_of(takers, [&](TransitionId id) {
    const Transition& taken = machine.transitions[id];
    return !taken.targets.empty() && !ends(machine, taken);
  });
  return goes_on && is_lost(context, machine, state, takers, "feedback");
}

}  // namespace

extern const LintRule unused_edit = {
    {"W434", "unused-edit", "what a person edits or has to write, and nothing takes over",
     R"(An option with `edit` opens a text in the person's editor, and what comes of it is `event.edited`. One
with `feedback: required` asks for words, which are `event.feedback`. Where no transition on the option
looks at it, what the person wrote is lost. Words with which the machine ends are kept in the run's record.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto* ask = std::get_if<model::Ask>(&state.activity);
      if (!ask) return;
      for (const model::Option& option : ask->options) {
        const auto takers = model::takers(machine, state.id, option.name);
        if (takers.empty()) continue;
        if (option.edit != none && is_lost(context, machine, state, takers, "edited")) {
          report(option.span, "nothing takes over what is edited with '{}'", option.name)
              .help("take it in the transition: {}: {{target: STATE, do: ctx.NAME = event.edited}}",
                    option.name);
        }
        if (option.feedback == model::Need::required && are_lost(context, machine, state, takers)) {
          report(option.span, "'{}' requires words, and nothing takes them over", option.name)
              .help(
                  "take them in the transition: {}: {{target: STATE, do: ctx.NAME = "
                  "event.feedback}}",
                  option.name);
        }
      }
    }};

}  // namespace agneto::lint
