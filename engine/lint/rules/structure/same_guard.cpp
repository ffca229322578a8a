#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::Transition;

bool takes_all(const State& state, const Transition& earlier, const Transition& later) {
  return std::all_of(later.events.begin(), later.events.end(), [&](const std::string& event) {
    return std::any_of(earlier.events.begin(), earlier.events.end(),
                       [&](const std::string& one) { return model::takes(state, one, event); });
  });
}

// A guard changes nothing, so that asking it twice about one event gives one answer.
void check_list(const Machine& machine, const State& state,
                const std::vector<model::TransitionId>& ids, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Transition& later = machine.transitions[ids[i]];
    if (later.guard == model::none) continue;
    const std::string_view guard = trim(machine.code[later.guard].text);
    for (std::size_t j = 0; j < i; ++j) {
      const Transition& earlier = machine.transitions[ids[j]];
      if (earlier.guard == model::none || earlier.timer != later.timer) continue;
      if (trim(machine.code[earlier.guard].text) != guard) continue;
      if (!takes_all(state, earlier, later)) continue;
      Diagnostic& finding =
          diagnostics.warning(same_guard.name, machine.code[later.guard].span,
                              "the same guard stands before this, so that it is never true here");
      finding.help = "one of the two guards is probably meant to be another";
      finding.related.push_back({machine.code[earlier.guard].span, "the guard before it"});
      break;
    }
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const State& state : machine.states) {
      for (const auto* ids : {&state.on, &state.always, &state.after}) {
        check_list(machine, state, *ids, diagnostics);
      }
    }
  }
}

}  // namespace

const Check same_guard = {"same-guard", check};

}  // namespace agneto::lint
