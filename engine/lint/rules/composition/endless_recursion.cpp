#include <algorithm>
#include <set>

#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// The state that the machine begins in, if it begins in one and waits there for another machine;
// else null.
const State* delegating_start(const Machine& machine) {
  const StateId id = entered(machine, 0);
  const bool waits =
      id != none && std::holds_alternative<model::Delegate>(machine.state(id).activity) &&
      std::ranges::all_of(lineage(machine, id),
                          [](const State* around) { return around->always.empty(); });
  return waits ? &machine.state(id) : nullptr;
}

}  // namespace

extern const LintRule endless_recursion = {
    {"W606", "endless-recursion", "a machine that begins by delegating to itself",
     R"(It would start itself, and that again itself, before anything else can happen. At a depth of many
machines the activity ends in `error.livelock`. A machine may delegate to itself, but something must
be able to end it before that.)"},
    [](const LintContext& context, const Reporter& report) {
      std::set<model::MachineId> reported;
      for (const Machine& machine : context.system.machines) {
        std::set<model::MachineId> begun;
        const Machine* at = &machine;
        const State* state = delegating_start(*at);
        while (state && begun.insert(at->id).second) {
          at = &context.system.machine(std::get<model::Delegate>(state->activity).machine);
          state = delegating_start(*at);
        }
        if (!state || at != &machine || reported.contains(machine.id)) continue;
        reported.insert(begun.begin(), begun.end());
        state = delegating_start(machine);
        report(std::get<model::Delegate>(state->activity).span,
               "'{}' begins by delegating to itself, and so on for ever", machine.name)
            .help("do something before it that can end the machine without it");
      }
    }};

}  // namespace agneto::lint
