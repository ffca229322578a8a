#include <fmt/format.h>

#include <set>

#include "lint/check.h"
#include "lint/explore/explorations.h"
#include "model/outcomes.h"
#include "lint/explore/player.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;

void check_machine(const Subject& subject, const Machine& machine, const Exploration& found,
                   Diagnostics& diagnostics) {
  std::set<std::pair<model::StateId, std::string>> reported;
  for (std::uint32_t i = 0; i < found.edges.size(); ++i) {
    const Edge& edge = found.edges[i];
    const Stimulus& stimulus = found.stimuli[edge.stimulus];
    const std::string& event = stimulus.event.name;
    const bool ends_the_machine =
        found.configurations[edge.to].end == Configuration::End::failure && !edge.restless;
    if (!ends_the_machine || edge.guessed || !found.configurations[edge.from].certain) continue;
    if (stimulus.event.kind != chart::Event::Kind::outcome || model::is_engines(event)) continue;
    // Of none, and of a single one with a guard, simpler rules speak.
    const auto taking = takers(machine, stimulus.state, event);
    if (taking.size() < 2 || !reported.insert({stimulus.state, event}).second) continue;
    const State& state = machine.state(stimulus.state);
    Diagnostic& finding = diagnostics.warning(
        unhandled_outcome.name, machine.transitions[taking.back()].span,
        fmt::format("'{}' of '{}' can come where every guard on it is false, which fails the "
                    "machine",
                    event, state.name));
    finding.help = "add an alternative without a guard behind this one";
    finding.trace = Player(subject, machine).along(found, i).trace;
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    const Exploration& found = subject.exploration(machine, Numbers::small);
    if (found.complete()) check_machine(subject, machine, found, diagnostics);
  }
}

}  // namespace

const Check unhandled_outcome = {"unhandled-outcome", check, true};

}  // namespace agneto::lint
