#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

// The error of the engine's that was meant; empty where it is one, or a provider's own.
std::string error_near(const std::string& event) {
  constexpr std::string_view error = "error.";
  std::vector<std::string> kinds;
  for (const std::string& each : model::engine_errors()) kinds.push_back(each.substr(error.size()));
  kinds.emplace_back(model::undelivered.substr(error.size()));
  const std::string kind = event.starts_with(error) ? event.substr(error.size()) : "";
  if (kind.empty() || std::ranges::find(kinds, kind) != kinds.end()) return {};
  const std::string near = closest(kind, kinds);
  return near.empty() ? "" : std::string(error) + near;
}

// One that takes several events may well name more than there are.
bool takes_something(const Transition& transition, const std::vector<model::Outcome>& all) {
  return std::ranges::any_of(transition.events, [&](const std::string& event) {
    return event == "any" || (model::is_engines(event) && error_near(event).empty()) ||
           std::ranges::any_of(all, [&](const model::Outcome& outcome) {
             return model::matches(event, outcome.name);
           });
  });
}

void check_event(const LintContext& context, const Machine& machine, const State& state,
                 const Transition& transition, const std::string& event,
                 const std::vector<model::Outcome>& all, const Reporter& report) {
  std::vector<std::string> names;
  for (const model::Outcome& outcome : all) names.push_back(outcome.name);
  std::string near = model::is_error(event) ? error_near(event) : closest(event, names);
  // `timeout: LATE`, where nothing takes the error.
  const std::string error = "error." + event;
  const bool is_errors = std::ranges::count(model::engine_errors(), error) > 0 &&
                         takers(machine, state.id, error).empty();
  if (is_errors) near = error;
  // Else it may well come from outside.
  if (!model::is_engine_outcome(event) && near.empty()) return;
  // The slip of the hand is reported where the outcome is, which nothing takes.
  const bool told_there = !near.empty() && !is_errors && !model::is_error(event);
  if (told_there && takers(machine, state.id, near).empty()) return;
  if (context.raised(machine).may_come(event)) return;
  report(transition.span, "'{}' does not end in '{}'", state.name, event)
      .help(near.empty() ? "it ends in " + join(names, ", ")
                         : fmt::format("did you mean '{}'?", near));
}

// Why the activity does not end in that error of the engine's; empty where it may.
std::string_view why_never(const model::Activity& activity, const std::string& error) {
  const bool is_calls =
      is_one_of(error, {"error.timeout", "error.exit", "error.spawn", "error.unparsed"});
  if (std::holds_alternative<model::Ask>(activity) && is_calls) {
    return "a question ends in an answer; an `after` takes it away in time";
  }
  if (model::delegate_of(activity) && is_calls) {
    return "an error that nothing takes in the machine itself is `error.unhandled` here";
  }
  if (std::holds_alternative<model::Program>(activity) && error == "error.unparsed") {
    return "what a program prints is not read";
  }
  return {};
}

// A limit of the machine that the state delegates to, where this one's has none.
const Machine* limited_inside(const LintContext& context, const Machine& machine,
                              const State& state, const std::string& event) {
  const model::Delegate* to = model::delegate_of(state.activity);
  if (!to || machine.limits.any() || !model::matches("limit", event)) return nullptr;
  const Machine& inside = context.system.machine(to->machine);
  return inside.limits.any() ? &inside : nullptr;
}

// What is the engine's own, and never comes here.
void check_engines(const LintContext& context, const Machine& machine, const State& state,
                   const Transition& transition, const Reporter& report) {
  if (state.kind != StateKind::atomic || transition.events.size() != 1) return;
  const std::string& event = transition.events.front();
  if (context.raised(machine).may_come(event)) return;
  if (const auto why = why_never(state.activity, event); !why.empty()) {
    report(transition.span, "'{}' does not end in '{}'", state.name, event).help(std::string(why));
  } else if (const Machine* inside = limited_inside(context, machine, state, event)) {
    report(transition.span,
           "a limit of '{}' is offered to that machine alone, and this one has none", inside->name)
        .help("take '{}' there, or give this machine `limits`", event);
  }
}

}  // namespace

extern const LintRule impossible_outcome = {
    {"W416", "impossible-outcome", "a transition on an outcome that the activity does not have",
     R"(Each kind of activity ends in outcomes of its own: a program in `ok` or `failed`, an agent in its
verdicts, a question in its options, a machine in the outcomes of its final states. So it is with errors:
a question never takes too long. Nothing else of this machine makes the event either.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto all = outcomes(state, context.system);
      if (all.empty()) return;
      for (const TransitionId id : state.on) {
        const Transition& transition = machine.transitions[id];
        check_engines(context, machine, state, transition, report);
        if (takes_something(transition, all)) continue;
        for (const std::string& event : transition.events) {
          check_event(context, machine, state, transition, event, all, report);
        }
      }
    }};

}  // namespace agneto::lint
