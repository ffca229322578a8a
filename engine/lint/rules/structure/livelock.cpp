#include <fmt/format.h>

#include <algorithm>

#include "lint/explore/explorations.h"
#include "lint/explore/graph.h"
#include "lint/explore/player.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

void tell(const Machine& machine, const Configuration& at, Played played, bool certain,
          const Reporter& report) {
  const State& state = machine.state(at.states.front());
  report(state.span,
         fmt::format("in '{}' the machine {} round in a circle, with nothing to wait for",
                     state.name, certain ? "goes" : "possibly goes"),
         "let it wait for an event or a time there, or count how often it goes round")
      .trace = std::move(played.trace);
}

// One macrostep has no end.
bool check_steps(const LintContext& context, const Machine& machine, const Exploration& found,
                 const Reporter& report) {
  if (!restless(machine).empty()) return false;  // another rule says so
  for (std::uint32_t i = 0; i < found.edges.size(); ++i) {
    const Edge& edge = found.edges[i];
    const Configuration& at = found.configurations[edge.to];
    if (!edge.restless || at.states.empty()) continue;
    Played played = Player(context, machine).along(found, i);
    const bool certain = played.restless;
    tell(machine, at, std::move(played), certain, report);
    return true;
  }
  return false;
}

}  // namespace

extern const LintRule livelock = {
    {"W229", "livelock", "a machine that goes round in a circle without waiting for anything",
     R"(After the events shown the machine takes eventless transitions, events that it raises or sends itself,
or machines that end at once, and comes back to where it was. Nobody and no time can get it out of
that: it is ended as failed, or it works for ever. Let it wait for something, or count how often it
goes round.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const Exploration& found = context.exploration(machine, Numbers::small);
      if (check_steps(context, machine, found, report)) return;
      const std::vector<bool> ends = can_end(machine);
      for (const std::uint32_t at : endless(found)) {
        const Configuration& one = found.configurations[at];
        if (one.states.empty() || !ends[one.states.front()]) continue;  // a trap, which is said
        Played played = Player(context, machine).to(found, at);
        const auto sure = endless(found, true);
        const bool circles = std::ranges::find(sure, at) != sure.end();
        const bool certain = played.restless || (played.confirmed && one.certain && circles);
        tell(machine, one, std::move(played), certain, report);
        return;
      }
    },
    true};

}  // namespace agneto::lint
