#include <algorithm>

#include "base/text.h"
#include "chart/event.h"
#include "lint/rule.h"
#include "lint/sends.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

std::vector<std::string> taken_by(const Machine& machine) {
  std::vector<std::string> events;
  for (const Transition& transition : machine.transitions) {
    events.insert(events.end(), transition.events.begin(), transition.events.end());
  }
  return events;
}

void check_taken(const LintContext& context, const Machine& machine, const Raised& one,
                 const Reporter& report) {
  const std::string* to = lua::literal_text(*one.to);
  std::vector<std::string> known;  // what the machines take that it may be for
  const Machine* first = nullptr;
  for (const auto& [id, state] : neighbours(context.system, machine)) {
    if (to && *to != (state ? state->name : chart::to_parent)) continue;
    const Machine& other = context.system.machine(id);
    if (!first) first = &other;
    const auto events = taken_by(other);
    if (std::ranges::any_of(
            events, [&](const std::string& event) { return model::matches(event, *one.name); })) {
      return;
    }
    std::ranges::copy_if(events, std::back_inserter(known), [&](const std::string& event) {
      return event != "any" && !model::is_engines(event) &&
             !model::ends_in(other, event, context.system);
    });
  }
  if (!first) return;
  report(place(*one.piece, *one.call),
         "no transition of the machine '{}' takes '{}', which is lost", first->name, *one.name)
      .help(known.empty() ? "take it there: on: {" + *one.name + ": …}"
                          : suggestion(*one.name, known, "events that are taken there"))
      .related(first->state(0).span, "the machine");
}

}  // namespace

extern const LintRule undelivered_event = {
    {"W526", "undelivered-event", "an event for another machine, of which no transition takes it",
     R"(`send` with `to` puts the event into the queue of the machine that a state delegates to, or with
`to = "parent"` of the one around. It is offered to that machine alone: neither to those inside it nor to
those around.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Raised& one : context.raised(machine).all()) {
        if (one.to && one.name) check_taken(context, machine, one, report);
      }
    }};

}  // namespace agneto::lint
