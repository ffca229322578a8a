#include <algorithm>

#include "chart/event.h"
#include "lint/rule.h"
#include "lint/sends.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

void check_reserved(const LintContext& context, const Machine& machine, const Raised& one,
                    const Reporter& report) {
  const Span at = place(*one.piece, *one.call);
  constexpr const char* help = "call the event something else";
  if (model::is_engines(*one.name)) {
    report(at, "'{}' is an event of the engine, and to send it to another machine is an error",
           *one.name)
        .help(help);
    return;
  }
  const std::string* to = lua::literal_text(*one.to);
  for (const auto& [id, state] : neighbours(context.system, machine)) {
    if (to && *to != (state ? state->name : chart::to_parent)) continue;
    const Machine& other = context.system.machine(id);
    const auto ends_so = std::ranges::find_if(other.states, [&](const State& inner) {
      return model::find(outcomes(inner, context.system), *one.name) != nullptr;
    });
    if (ends_so == other.states.end()) continue;
    report(at, "'{}' ends in '{}' in the machine '{}', and to send it that is an error",
           ends_so->name, *one.name, other.name)
        .help(help)
        .related(ends_so->span, "the state");
    return;
  }
}

}  // namespace

extern const LintRule reserved_event = {
    {"W527", "reserved-event",
     "an event for another machine, by the name of what an activity there ends in",
     R"(Only an activity says what it has come to, and only the engine that there is an error. Where another
machine sends an event of such a name, that is `error.lua` instead, so that no result can be made up.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Raised& one : context.raised(machine).all()) {
        if (one.to && one.name) check_reserved(context, machine, one, report);
      }
    }};

}  // namespace agneto::lint
