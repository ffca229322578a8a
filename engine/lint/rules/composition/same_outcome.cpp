#include <algorithm>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule same_outcome = {
    {"W608", "same-outcome", "two ends of one outcome, of which one has failed",
     R"(A machine that delegates to this one is told the outcome and not the status, so that it goes on after a
failure as after success. Give each its own outcome, or leave `outcome` out: then it is the state's name.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      const auto all = ends(machine);
      for (auto one = all.begin(); one != all.end(); ++one) {
        const auto other = std::find_if(all.begin(), one, [&](const State* before) {
          return before->outcome == (*one)->outcome && before->status != (*one)->status;
        });
        if (other == one) continue;
        report((*one)->span, "'{}' and '{}' have the outcome '{}', and not the same status",
               (*other)->name, (*one)->name, (*one)->outcome)
            .help("give them outcomes that tell them apart")
            .related((*other)->span, "the other one");
      }
    }};

}  // namespace agneto::lint
