#include <algorithm>

#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule untaken_event = {
    {"W220", "untaken-event", "an event that an action makes and no transition takes",
     R"(`raise` and `send` without `to` speak to the machine that they are in, and to no other. An event that no
transition of it takes is lost. To tell the machine around it something, end in an outcome with outputs,
or send it an event: `{to = "parent"}`.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      std::vector<std::string> taken;
      for (const Transition& transition : machine.transitions) {
        taken.insert(taken.end(), transition.events.begin(), transition.events.end());
      }
      for (const Raised& one : context.raised(machine).all()) {
        if (!one.name || one.function == "cancel" || one.to) continue;
        const bool is_taken = std::ranges::any_of(
            taken, [&](const std::string& event) { return model::matches(event, *one.name); });
        if (is_taken) continue;
        report(place(*one.piece, *one.call),
               "no transition of this machine takes '{}', which is lost", *one.name)
            .help(suggestion(*one.name, taken, "events that are taken"));
      }
    }};

}  // namespace agneto::lint
