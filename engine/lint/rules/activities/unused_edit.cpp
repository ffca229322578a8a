#include <algorithm>

#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// Does the transition end the machine?
bool ends_machine(const Machine& machine, const Transition& transition) {
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
    for (const State* around : lineage(machine, inner == none ? target : inner)) {
      add(around->entry);
      for (const TransitionId id : around->always) {
        add(machine.transitions[id].actions);
        if (machine.transitions[id].guard != none) codes.push_back(machine.transitions[id].guard);
      }
    }
  }
  return codes;
}

// May outputs or what a state is given look at that field? They see the last event.
bool is_read_elsewhere(const LintContext& context, const Machine& machine, std::string_view field) {
  return std::ranges::any_of(context.pieces(machine), [&](const Piece& piece) {
    return !is_one_of(piece.code->what, {"guard", "do", "entry", "exit"}) &&
           reads_event(piece, {field});
  });
}

// Does nothing look at that field where the state is left with the event?
bool is_lost(const LintContext& context, const Machine& machine, const State& state,
             const std::vector<TransitionId>& takers, std::string_view field) {
  return !is_read_elsewhere(context, machine, field) &&
         std::ranges::none_of(takers, [&](TransitionId id) {
           return std::ranges::any_of(
               run_by(machine, state, machine.transitions[id]),
               [&](CodeId code) { return reads_event(context.piece(machine, code), {field}); });
         });
}

// The same of words that a person has to write. Where the machine goes no further, they are for the
// record.
bool are_lost(const LintContext& context, const Machine& machine, const State& state,
              const std::vector<TransitionId>& takers) {
  const bool goes_on = std::ranges::all_of(takers, [&](TransitionId id) {
    const Transition& taken = machine.transitions[id];
    return !taken.targets.empty() && !ends_machine(machine, taken);
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
