#include <algorithm>

#include "base/text.h"
#include "lint/explore/shown.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// An option that is offered under the condition of its transition.
bool is_same_condition(const Machine& machine, const State& state, const model::Outcome& outcome,
                       CodeId guard) {
  const auto* ask = std::get_if<model::Ask>(&state.activity);
  return ask && std::ranges::any_of(ask->options, [&](const model::Option& option) {
           return option.name == outcome.name && option.when != none &&
                  trim(machine.code[option.when].text) == trim(machine.code[guard].text);
         });
}

// `event.name == "GOOD"`, for that outcome
bool asks_for_it(const LintContext& context, const Machine& machine, CodeId guard,
                 const std::string& outcome) {
  const Piece& piece = context.piece(machine, guard);
  if (!piece.tree) return false;
  const Node& asked = expression(piece);
  if (!asked.is(Node::Kind::binary, "==")) return false;
  const std::string* field = lua::field_of(asked.children[0], "event");
  const std::string* name = lua::literal_text(asked.children[1]);
  return field && *field == "name" && name && *name == outcome;
}

}  // namespace

extern const LintRule guarded_outcome = {
    {"W417", "guarded-outcome", "an outcome that nothing takes where a guard is false",
     R"(The one transition on it has a guard. Where that is false the outcome goes untaken, which ends the
machine as failed. Say what is to happen then, in an alternative without a guard. Where exploring shows that
the guard is false when the outcome comes, the finding shows after which events; where it shows that it never
is, nothing is said.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      for (const model::Outcome& outcome : outcomes(state, context.system)) {
        const auto taking = takers(machine, state.id, outcome.name);
        // Several guards may complete each other.
        if (taking.size() != 1) continue;
        const Transition& transition = machine.transitions[taking.front()];
        if (transition.guard == none) continue;
        if (is_same_condition(machine, state, outcome, transition.guard)) continue;
        if (asks_for_it(context, machine, transition.guard, outcome.name)) continue;
        Untaken shown = untaken(context, machine, state, outcome.name);
        if (!shown.possible) continue;
        const char* message =
            shown.trace.empty()
                ? "where this is false, nothing takes the {} '{}' of '{}', which fails the machine"
                : "this can be false, and nothing else takes the {} '{}' of '{}', which fails the "
                  "machine then";
        report(machine.code[transition.guard].span,
               fmt::format(fmt::runtime(message), outcome.what, outcome.name, state.name))
            .help("add an alternative without a guard behind it")
            .trace(std::move(shown.trace));
      }
    }};

}  // namespace agneto::lint
