#include <set>

#include "lint/explore/explore.h"
#include "lint/explore/player.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

extern const LintRule deadlock = {
    {"W227", "deadlock", "a configuration in which the machine stops",
     R"(After the events shown, no activity and no timer runs, and no event is waited for, so that the run is
suspended. No guard on the way was guessed: it can be played with `agneto simulate`.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const Exploration& found = context.exploration(machine);
      if (!found.complete()) return;
      std::set<StateId> reported;
      for (std::uint32_t at = 0; at < found.configurations.size(); ++at) {
        const Configuration& one = found.configurations[at];
        if (!one.stuck || !one.certain || one.states.empty()) continue;
        const State& state = machine.state(one.states.front());
        // Outside of parallel states simpler rules say why nothing happens in a state without work.
        const bool is_said = !is_in_parallel(machine, state.id) && !state.has_activity() &&
                             (state.kind == StateKind::final || state.always.size() <= 1);
        if (is_said || !reported.insert(state.id).second) continue;
        report(state.span, "in '{}' the machine can stop with nothing to wait for", state.name)
            .trace(play_to(context, machine, found, at).trace);
      }
    },
    true};

}  // namespace agneto::lint
