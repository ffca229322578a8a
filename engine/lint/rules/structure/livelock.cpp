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

void report(const Machine& machine, const Configuration& at, Played played, bool certain,
            Diagnostics& diagnostics) {
  const model::State& state = machine.state(at.states.front());
  Diagnostic& finding = diagnostics.warning(
      livelock.name, state.span,
      fmt::format("in '{}' the machine {} round in a circle, with nothing to wait for", state.name,
                  certain ? "goes" : "possibly goes"));
  finding.help = "let it wait for an event or a time there, or count how often it goes round";
  finding.trace = std::move(played.trace);
}

// One macrostep has no end.
bool check_steps(const Subject& subject, const Machine& machine, const Exploration& found,
                 Diagnostics& diagnostics) {
  if (!restless(machine).empty()) return false;  // another rule says so
  for (std::uint32_t i = 0; i < found.edges.size(); ++i) {
    const Edge& edge = found.edges[i];
    const Configuration& at = found.configurations[edge.to];
    if (!edge.restless || at.states.empty()) continue;
    Played played = Player(subject, machine).along(found, i);
    const bool certain = played.restless;
    report(machine, at, std::move(played), certain, diagnostics);
    return true;
  }
  return false;
}

void check_machine(const Subject& subject, const Machine& machine, Diagnostics& diagnostics) {
  const Exploration& found = subject.exploration(machine, Numbers::small);
  if (check_steps(subject, machine, found, diagnostics)) return;
  const std::vector<bool> ends = can_end(machine);
  for (const std::uint32_t at : endless(found)) {
    const Configuration& one = found.configurations[at];
    if (one.states.empty() || !ends[one.states.front()]) continue;  // a trap, which is said
    Played played = Player(subject, machine).to(found, at);
    const auto sure = endless(found, true);
    const bool circles = std::find(sure.begin(), sure.end(), at) != sure.end();
    const bool certain = played.restless || (played.confirmed && one.certain && circles);
    report(machine, one, std::move(played), certain, diagnostics);
    return;
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    check_machine(subject, machine, diagnostics);
  }
}

}  // namespace

const Check livelock = {"livelock", check, true};

}  // namespace agneto::lint
