#include <algorithm>

#include "lint/explore/explore.h"
#include "lint/explore/graph.h"
#include "lint/explore/player.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Some final state, or where other rules say that nothing goes on.
std::vector<std::uint32_t> goals(const Exploration& found) {
  std::vector<std::uint32_t> result = endless(found);
  for (std::uint32_t i = 0; i < found.configurations.size(); ++i) {
    const Configuration& one = found.configurations[i];
    if (one.end == Configuration::End::final || one.stuck) result.push_back(i);
  }
  // An outcome that nothing takes.
  for (const Edge& edge : found.edges) {
    const chart::Event& event = found.alphabet[edge.input].event;
    const bool fails = found.configurations[edge.to].end == Configuration::End::failure;
    if (fails && !event.name.starts_with("error")) result.push_back(edge.to);
  }
  return result;
}

}  // namespace

extern const LintRule no_way_out = {
    {"W228", "no-way-out", "a configuration from which the guards let no final state be reached",
     R"(The transitions would lead to an end of the machine, but after the events shown no guard on the way to
one ever becomes true again: once there, a run goes on until somebody aborts it. Where there are
several such configurations, one that the fewest events lead to is shown. Inputs that are numbers were taken to be
small.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const Exploration& found = context.exploration(machine, Numbers::small);
      if (!found.complete()) return;
      // Anybody can abort every run.
      const std::vector<bool> reaches = can_reach(found, goals(found), [&](const Edge& edge) {
        const chart::Event& event = found.alphabet[edge.input].event;
        return event.kind != chart::Event::Kind::external || event.name != "abort";
      });
      const std::vector<bool> ends = can_end(machine);
      for (std::uint32_t at = 0; at < found.configurations.size(); ++at) {
        const Configuration& one = found.configurations[at];
        // The events alone say so, and so does another rule.
        const bool said = std::ranges::any_of(one.states, [&](StateId id) { return !ends[id]; });
        if (reaches[at] || one.end != Configuration::End::none || said || one.states.empty()) {
          continue;
        }
        Played played = play_to(context, machine, found, at);
        const State& state = machine.state(one.states.front());
        report(state.span, "in '{}' the machine {} to where its guards let it reach no final state",
               state.name, played.confirmed ? "comes" : "possibly comes")
            .help("let one of the guards that lead on become true there")
            .trace(std::move(played.trace));
        return;
      }
    },
    true};

}  // namespace agneto::lint
