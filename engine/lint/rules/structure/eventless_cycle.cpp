#include <algorithm>
#include <set>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule eventless_cycle = {
    {"W216", "eventless-cycle", "eventless transitions that lead round in a circle for ever",
     R"(Each of these states is left as soon as it is entered, for another of them, so that the machine never
comes to rest. After 1000 steps it is ended as failed, and the activity that delegated to it in
`error.livelock`. Let one of the states wait for an event, or give a transition a guard that becomes
false.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      const auto next = restless(machine);
      if (next.empty()) return;
      const std::vector<bool> reached = reachable(machine);
      const auto first =
          std::ranges::find_if(next, [&](const auto& one) { return reached[one.first]; });
      if (first == next.end()) return;
      std::string way;
      std::set<StateId> seen;
      StateId at = first->first;
      for (; seen.insert(at).second; at = next.at(at).back()) {
        way += machine.state(at).name + " -> ";
      }
      report(machine.state(first->first).span,
             "transitions without an event lead round in a circle for ever: {}{}", way,
             machine.state(at).name)
          .help(
              "let one of these states wait for an event, or give one of the transitions a guard");
    }};

}  // namespace agneto::lint
