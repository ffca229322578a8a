#include <algorithm>

#include "lint/merges.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule conflict_as_merge = {
    {"W446", "conflict-as-merge", "a merge's conflict that ends the run as a merge does",
     R"(A merge that ends in `conflict` has merged nothing. An end to which merges alone lead says that the work
is merged: lead a conflict to an end of its own, or to somebody who resolves it.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      if (!is_merge(state)) return;
      const Transition* ok = first_taker(machine, state, "ok");
      const Transition* conflict = first_taker(machine, state, "conflict");
      const bool named = conflict && std::ranges::count(conflict->events, "conflict") > 0;
      if (!ok || !named || !have_same_effect(*ok, *conflict) || ok->targets.size() != 1) return;
      const State& end = machine.state(ok->targets.front());
      if (end.kind != StateKind::final || end.status != model::FinalStatus::complete) return;
      // An end to which other ways lead as well says nothing of a merge.
      const auto fits = [&](const Transition& one) {
        return std::ranges::count(one.targets, end.id) == 0 ||
               (one.source == state.id && !one.events.empty());
      };
      if (!std::ranges::all_of(machine.transitions, fits)) return;
      report(conflict->span, "a conflict ends in '{}' as a merge does, and nothing is merged then",
             end.name)
          .help("lead it to an end of its own, or to somebody who resolves it")
          .related(end.span, "this says that all went well");
    }};

}  // namespace agneto::lint
