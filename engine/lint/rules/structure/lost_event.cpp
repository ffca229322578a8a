#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/check.h"
#include "lint/explore/explorations.h"
#include "lint/explore/player.h"

namespace agneto::lint {

namespace {

using model::Machine;

// Of an event that nothing takes anywhere another rule speaks.
bool is_taken_somewhere(const Machine& machine, const std::string& event) {
  return std::any_of(machine.transitions.begin(), machine.transitions.end(),
                     [&](const model::Transition& transition) {
                       return std::any_of(
                           transition.events.begin(), transition.events.end(),
                           [&](const auto& taken) { return model::matches(taken, event); });
                     });
}

Span place_of(const Subject& subject, const Machine& machine, const lua::Node* call) {
  for (const Raised& one : subject.raised(machine).all()) {
    if (one.call == call) return place(*one.piece, *one.call);
  }
  return {};
}

bool is_certain(const Exploration& found, const Lost& lost) {
  if (lost.edge < 0) return found.configurations[lost.at].certain;
  const Edge& edge = found.edges[static_cast<std::size_t>(lost.edge)];
  return found.configurations[edge.from].certain && !edge.guessed;
}

void check_machine(const Subject& subject, const Machine& machine, Diagnostics& diagnostics) {
  const Exploration& found = subject.exploration(machine, Numbers::small);
  for (const Lost& lost : found.lost) {
    if (!is_taken_somewhere(machine, lost.event)) continue;
    Player player(subject, machine);
    Played played = lost.edge < 0 ? player.to(found, lost.at)
                                  : player.along(found, static_cast<std::uint32_t>(lost.edge));
    std::vector<std::string> names;
    for (const model::StateId state : found.configurations[lost.at].states) {
      names.push_back("'" + machine.state(state).name + "'");
    }
    const bool certain = played.confirmed && is_certain(found, lost);
    Diagnostic& finding =
        diagnostics.warning(lost_event.name, place_of(subject, machine, lost.call),
                            fmt::format("'{}' {} lost: nothing takes it with {} active", lost.event,
                                        certain ? "is" : "is possibly", join(names, " and ")));
    finding.help = "take it there or in a state around, or raise it where it is waited for";
    finding.trace = std::move(played.trace);
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    check_machine(subject, machine, diagnostics);
  }
}

}  // namespace

const Check lost_event = {"lost-event", check, true};

}  // namespace agneto::lint
