#include <algorithm>

#include "base/text.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

bool takes_all(const State& state, const Transition& earlier, const Transition& later) {
  return std::ranges::all_of(later.events, [&](const std::string& event) {
    return std::ranges::any_of(
        earlier.events, [&](const std::string& one) { return model::takes(state, one, event); });
  });
}

// A guard changes nothing, so that asking it twice about one event gives one answer.
void check_list(const Machine& machine, const State& state, const std::vector<TransitionId>& ids,
                const Reporter& report) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Transition& later = machine.transitions[ids[i]];
    if (later.guard == none) continue;
    const std::string_view guard = trim(machine.code[later.guard].text);
    for (std::size_t j = first_compared(i); j < i; ++j) {
      const Transition& earlier = machine.transitions[ids[j]];
      if (earlier.guard == none || earlier.timer != later.timer) continue;
      if (trim(machine.code[earlier.guard].text) != guard) continue;
      if (!takes_all(state, earlier, later)) continue;
      report(machine.code[later.guard].span,
             "the same guard stands before this, so that it is never true here")
          .help("one of the two guards is probably meant to be another")
          .related(machine.code[earlier.guard].span, "the guard before it");
      break;
    }
  }
}

}  // namespace

extern const LintRule same_guard = {
    {"W215", "same-guard", "a transition behind another with the same guard",
     R"(Alternatives are tried in order, and a guard changes nothing, so that the second of two with the same
guard on the same event is never taken. One of them is probably meant to be another.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      for (const auto* ids : {&state.on, &state.always, &state.after}) {
        check_list(machine, state, *ids, report);
      }
    }};

}  // namespace agneto::lint
