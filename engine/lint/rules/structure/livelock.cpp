#include <algorithm>

#include "lint/answers.h"
#include "lint/explore/explore.h"
#include "lint/explore/graph.h"
#include "lint/explore/player.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

void tell_circle(const std::vector<Answer>& circle, const Reporter& report) {
  const Raised& first = *circle.front().sent;
  std::string events;
  for (const Answer& answer : circle) events += *answer.sent->name + " -> ";
  auto finding =
      report(place(*first.piece, *first.call),
             "this is answered at once, and so is the answer, for ever: {}{}", events, *first.name);
  finding.help("let one of the two have the last word: by a guard, or by leaving the state");
  for (const Answer& answer : circle) {
    if (answer.sent == &first) continue;
    finding.related(place(*answer.sent->piece, *answer.sent->call),
                    "the answer of '" + answer.machine->name + "'");
  }
}

}  // namespace

extern const LintRule livelock = {
    {"W229", "livelock", "a machine that goes round in a circle without waiting for anything",
     R"(After the events shown the machine takes eventless transitions, events that it raises or sends itself,
or machines that end at once, and comes back to where it was. Nobody and no time can get it out of
that: it is ended as failed, or it works for ever. Let it wait for something, or count how often it
goes round. It is the same with two machines that answer each other's events at once: one of them
must have the last word, or wait a while with `after`.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const std::vector<Answer>& circle : endless_answers(context, machine)) {
        tell_circle(circle, report);
      }
      const Exploration& found = context.exploration(machine, Numbers::small);
      const auto tell = [&](const State& state, Played played, bool certain) {
        report(state.span, "in '{}' the machine {} round in a circle, with nothing to wait for",
               state.name, certain ? "goes" : "possibly goes")
            .help("let it wait for an event or a time there, or count how often it goes round")
            .trace(std::move(played.trace));
      };
      // One macrostep has no end. Another rule says so where no guard has a part in it.
      const bool is_said = !restless(machine).empty();
      for (std::uint32_t i = 0; i < found.configurations.size() && !is_said; ++i) {
        if (!found.configurations[i].restless) continue;
        Played played = play_to(context, machine, found, i);
        const bool certain = played.restless;
        return tell(machine.state(machine.state(0).start.targets.front()), std::move(played),
                    certain);
      }
      for (std::uint32_t i = 0; i < found.edges.size() && !is_said; ++i) {
        const Configuration& at = found.configurations[found.edges[i].to];
        if (!found.edges[i].restless || at.states.empty()) continue;
        Played played = play_along(context, machine, found, i);
        const bool certain = played.restless;
        return tell(machine.state(at.states.front()), std::move(played), certain);
      }
      const std::vector<bool> ends = can_end(machine);
      for (const std::uint32_t at : endless(found)) {
        const Configuration& one = found.configurations[at];
        if (one.states.empty() || !ends[one.states.front()]) continue;  // a trap, which is said
        Played played = play_to(context, machine, found, at);
        const auto sure = endless(found, true);
        const bool circles = std::ranges::find(sure, at) != sure.end();
        const bool certain = played.restless || (played.confirmed && one.certain && circles);
        return tell(machine.state(one.states.front()), std::move(played), certain);
      }
    },
    true};

}  // namespace agneto::lint
