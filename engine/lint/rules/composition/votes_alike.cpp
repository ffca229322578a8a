#include <algorithm>
#include <set>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/merges.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// What runs only where too few items completed.
std::set<CodeId> run_on_failure(const Machine& machine) {
  std::set<CodeId> codes;
  for (const Transition& one : machine.transitions) {
    const bool fails =
        !one.events.empty() && std::ranges::all_of(one.events, [](const auto& event) {
          return event == "failed" || model::is_error(event);
        });
    if (fails) codes.insert(one.actions.begin(), one.actions.end());
  }
  return codes;
}

bool leaves_something(const State& state) {
  return may_change_files(state) ||
         std::holds_alternative<model::WorkspaceOperation>(state.activity);
}

}  // namespace

extern const LintRule votes_alike = {
    {"W609", "votes-alike", "items that end well in several ways, which nothing tells apart",
     R"(An item counts for the `join` where its machine ends with the status `complete`, whatever the outcome
is called. Where items change nothing and nobody reads `event.results`, a vote against counts like one
for it.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto* loop = std::get_if<model::ForEach>(&state.activity);
      if (!loop || found_in(context.system, loop->each.machine, leaves_something)) return;
      std::vector<std::string> outcomes;
      Span last;
      for (const State* end : ends(context.system.machine(loop->each.machine))) {
        if (end->status != model::FinalStatus::complete) continue;
        if (std::ranges::count(outcomes, end->outcome) > 0) continue;
        outcomes.push_back(end->outcome);
        last = end->span;
      }
      if (outcomes.size() < 2) return;
      const std::set<CodeId> of_failure = run_on_failure(machine);
      const bool told_apart = std::ranges::any_of(context.pieces(machine), [&](const Piece& piece) {
        const auto code = static_cast<CodeId>(piece.code - machine.code.data());
        return !of_failure.contains(code) && reads_event(piece, {"results"});
      });
      if (told_apart) return;
      report(state.span, "items that end in '{}' count alike, and nothing reads event.results",
             join(outcomes, "' and in '"))
          .help("give `status: failed` to the outcome that is a no, or look at event.results")
          .related(last, "this one is complete, too");
    }};

}  // namespace agneto::lint
