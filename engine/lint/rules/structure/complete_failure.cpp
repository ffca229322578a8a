#include <algorithm>

#include "base/text.h"
#include "lint/merges.h"
#include "lint/rule.h"
#include "lint/transitions.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// Do the words of the name say that something went wrong?
bool names_failure(std::string_view name) {
  for (const std::string_view word : {"FAIL", "ERROR", "BROKEN", "CRASHED"}) {
    const std::size_t at = name.find(word);
    if (at == 0 || (at != name.npos && name[at - 1] == '_' && name.find("NOT_") > at &&
                    name.find("NO_") > at && name.find("WITHOUT_") > at)) {
      return true;
    }
  }
  return false;
}

// Is a conflict taken as a merge that worked is, to a good end?
void check_conflict(const Machine& machine, const State& state, const Reporter& report) {
  const auto taker = [&](std::string_view outcome) -> const Transition* {
    const auto takers = model::takers(machine, state.id, outcome);
    return takers.empty() ? nullptr : &machine.transitions[takers.front()];
  };
  const Transition* ok = taker("ok");
  const Transition* conflict = taker("conflict");
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
}

}  // namespace

extern const LintRule complete_failure = {
    {"W240", "complete-failure",
     "a failure that ends the run as complete: by the end's name, or by a merge's conflict",
     R"(Without `status` a final state ends the run as `complete`, with exit status 0, and CI goes on. Say
`status: failed` where something went wrong. A merge that ends in `conflict` has merged nothing, so
that it is told apart from one that ends in `ok`.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      if (is_merge(state)) check_conflict(machine, state, report);
      const bool ends_well = state.kind == StateKind::final && state.parent == 0 &&
                             state.status == model::FinalStatus::complete;
      if (!ends_well || !names_failure(state.name)) return;
      report(state.span, "a run that ends in '{}' ends as complete", state.name)
          .help("say so: {}: {{final: true, status: failed}}", state.name);
    }};

}  // namespace agneto::lint
