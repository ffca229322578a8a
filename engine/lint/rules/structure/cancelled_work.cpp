#include <fmt/format.h>

#include "lint/check.h"
#include "lint/explore/explorations.h"
#include "lint/explore/player.h"

namespace agneto::lint {

namespace {

using model::Machine;

void check_machine(const Subject& subject, const Machine& machine, Diagnostics& diagnostics) {
  const Exploration& found = subject.exploration(machine, Numbers::small);
  for (const Cancelled& cancelled : found.cancelled) {
    const model::State& state = machine.state(cancelled.state);
    // Nothing is lost with a question.
    if (std::holds_alternative<model::Ask>(state.activity)) continue;
    Played played = Player(subject, machine).along(found, cancelled.edge);
    const Configuration& end = found.configurations[found.edges[cancelled.edge].to];
    const model::State* final_state = nullptr;
    for (const model::StateId id : end.states) {
      if (machine.state(id).parent == 0) final_state = &machine.state(id);
    }
    Diagnostic& finding = diagnostics.warning(
        cancelled_work.name, state.span,
        fmt::format("the machine {} in '{}' while '{}' is at work, which is cut off",
                    played.confirmed ? "ends" : "possibly ends",
                    final_state ? final_state->name : machine.name, state.name));
    finding.help =
        "wait for it (`done.state.NAME` of the parallel state), or lead there from the "
        "parallel state itself where it is meant to be cut off";
    finding.trace = std::move(played.trace);
    if (final_state) finding.related.push_back({final_state->span, "the end"});
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    check_machine(subject, machine, diagnostics);
  }
}

}  // namespace

const Check cancelled_work = {"cancelled-work", check, true};

}  // namespace agneto::lint
