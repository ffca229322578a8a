#include "lint/explore/worst_case.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule tight_limit = {
    {"W437", "tight-limit", "a limit of calls with which no run comes to a good end",
     R"(Every configuration was explored: on each way to an end with the status `complete` more agents are called
than `limits` allow. So every run comes to its limit.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      if (machine.limits.calls == 0) return;
      const Exploration& found = context.exploration(machine, Numbers::small);
      if (!found.complete()) return;
      WorstCases worst;
      const auto fewest = worst.of(found, machine, context.system).fewest_calls;
      if (!fewest || *fewest <= machine.limits.calls) return;
      report(machine.state(0).span,
             "no run ends well with {} calls of agents: the shortest way takes {}",
             machine.limits.calls, *fewest)
          .help("allow more calls in `limits`");
    },
    true};

}  // namespace agneto::lint
