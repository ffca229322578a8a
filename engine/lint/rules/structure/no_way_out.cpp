#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"
#include "lint/explore/explorations.h"
#include "lint/explore/player.h"
#include "lint/explore/product.h"
#include "lint/reachable.h"

namespace agneto::lint {

namespace {

using model::Machine;

// Some final state, or where other rules say that nothing goes on.
std::vector<std::uint32_t> goals(const Exploration& found) {
  std::vector<std::uint32_t> result = endless(found);
  for (std::uint32_t i = 0; i < found.configurations.size(); ++i) {
    const Configuration& one = found.configurations[i];
    if (one.end == Configuration::End::final || one.stuck) result.push_back(i);
  }
  // An outcome that nothing takes.
  for (const Edge& edge : found.edges) {
    const chart::Event& event = found.stimuli[edge.stimulus].event;
    const bool fails = found.configurations[edge.to].end == Configuration::End::failure;
    if (fails && !event.name.starts_with("error")) result.push_back(edge.to);
  }
  return result;
}

void check_machine(const Subject& subject, const Machine& machine, Diagnostics& diagnostics) {
  const Exploration& found = subject.exploration(machine, Numbers::small);
  if (!found.complete()) return;
  const std::vector<bool> reaches =
      can_reach(found, goals(found), [&](const Edge& edge) { return !is_abort(found, edge); });
  const std::vector<bool> ends = can_end(machine);
  for (std::uint32_t at = 0; at < found.configurations.size(); ++at) {
    const Configuration& one = found.configurations[at];
    // The events alone say so, and so does another rule.
    const bool said = std::any_of(one.states.begin(), one.states.end(),
                                  [&](model::StateId id) { return !ends[id]; });
    if (reaches[at] || one.end != Configuration::End::none || said || one.states.empty()) continue;
    Played played = Player(subject, machine).to(found, at);
    const model::State& state = machine.state(one.states.front());
    Diagnostic& finding = diagnostics.warning(
        no_way_out.name, state.span,
        fmt::format("in '{}' the machine {} to where its guards let it reach no final state",
                    state.name, played.confirmed ? "comes" : "possibly comes"));
    finding.help = "let one of the guards that lead on become true there";
    finding.trace = std::move(played.trace);
    return;
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    check_machine(subject, machine, diagnostics);
  }
}

}  // namespace

const Check no_way_out = {"no-way-out", check, true};

}  // namespace agneto::lint
