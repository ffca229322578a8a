#include <algorithm>

#include "base/text.h"
#include "lint/explore/explore.h"
#include "lint/explore/player.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

Span place_of(const LintContext& context, const Machine& machine, const Node* call) {
  for (const Raised& one : context.raised(machine).all()) {
    if (one.call == call) return place(*one.piece, *one.call);
  }
  return {};
}

bool is_certain(const Exploration& found, const Lost& lost) {
  if (lost.edge < 0) return found.configurations[lost.at].certain;
  const Edge& edge = found.edges[static_cast<std::size_t>(lost.edge)];
  return found.configurations[edge.from].certain && !edge.guessed;
}

}  // namespace

extern const LintRule lost_event = {
    {"W231", "lost-event", "an event that is raised where nothing takes it",
     R"(`raise` queues an event for the states that are active in the same step. Some transition takes it, but
not where the machine is after the events shown: there it is lost without a word. Regions do not wait
for each other; a flag in the context does not get lost.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const Exploration& found = context.exploration(machine, Numbers::small);
      for (const Lost& lost : found.lost) {
        // Another rule speaks of an event that nothing takes anywhere.
        const bool is_taken = std::ranges::any_of(
            machine.transitions, [&](const Transition& one) { return takes(one, lost.event); });
        if (!is_taken) continue;
        Played played = lost.edge < 0 ? play_to(context, machine, found, lost.at)
                                      : play_along(context, machine, found,
                                                   static_cast<std::uint32_t>(lost.edge));
        std::vector<std::string> names;
        for (const StateId state : found.configurations[lost.at].states) {
          names.push_back("'" + machine.state(state).name + "'");
        }
        const bool certain = played.confirmed && is_certain(found, lost);
        report(place_of(context, machine, lost.call),
               "'{}' {} lost: nothing takes it with {} active", lost.event,
               certain ? "is" : "is possibly", join(names, " and "))
            .help("take it there or in a state around, or raise it where it is waited for")
            .trace(std::move(played.trace));
      }
    },
    true};

}  // namespace agneto::lint
