#include <set>

#include "lint/explore/explore.h"
#include "lint/explore/player.h"
#include "lint/rule.h"
#include "model/outcomes.h"

namespace agneto::lint {

extern const LintRule unhandled_outcome = {
    {"W423", "unhandled-outcome", "an outcome that can come where no guard on it is true",
     R"(Several alternatives take it, all with guards, and after the events shown none of these is true. Then
the outcome goes untaken, which ends the machine as failed. Say what is to happen then, in an
alternative without a guard.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const Exploration& found = context.exploration(machine, Numbers::small);
      if (!found.complete()) return;
      std::set<std::pair<StateId, std::string>> reported;
      for (std::uint32_t i = 0; i < found.edges.size(); ++i) {
        const Edge& edge = found.edges[i];
        const Input& input = found.alphabet[edge.input];
        const std::string& event = input.event.name;
        const bool ends_the_machine =
            found.configurations[edge.to].end == Configuration::End::failure && !edge.restless;
        if (!ends_the_machine || edge.guessed || !found.configurations[edge.from].certain) continue;
        if (input.event.kind != chart::Event::Kind::outcome || model::is_engines(event)) continue;
        // Simpler rules speak of an outcome that nothing takes, or one transition with a guard.
        const auto taking = takers(machine, input.state, event);
        if (taking.size() < 2 || !reported.insert({input.state, event}).second) continue;
        report(machine.transitions[taking.back()].span,
               "'{}' of '{}' can come where every guard on it is false, which fails the machine",
               event, machine.state(input.state).name)
            .help("add an alternative without a guard behind this one")
            .trace(play_along(context, machine, found, i).trace);
      }
    },
    true};

}  // namespace agneto::lint
