#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule never_ends = {
    {"W212", "never-ends", "a machine that no final state ends",
     R"(A run ends when its machine enters a final state directly under `states`, and an activity that
delegates ends when the other machine does. Without one it goes on until a limit or a person stops
it.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      if (!ends(machine).empty()) return;
      report(machine.state(0).span,
             "the machine '{}' reaches no final state, so that it never ends", machine.name)
          .help("lead to a state with `final: true` directly under the machine's `states`");
    }};

}  // namespace agneto::lint
