#include <fmt/format.h>

#include <algorithm>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;

struct Outcome {
  std::string name;
  Span span;  // where it is declared, or else its state
  std::string_view what;
  Span related;  // a final state in another file
};

std::vector<Outcome> of(const model::AgentCall& call, const State& state, const model::System&) {
  std::vector<Outcome> outcomes;
  if (call.verdicts.empty()) outcomes.push_back({"done", state.span, "outcome", {}});
  for (const model::Verdict& verdict : call.verdicts) {
    outcomes.push_back({verdict.name, verdict.span, "verdict", {}});
  }
  return outcomes;
}

std::vector<Outcome> of(const model::Ask& ask, const State& state, const model::System&) {
  std::vector<Outcome> outcomes;
  for (const model::Option& option : ask.options) {
    outcomes.push_back({option.name, option.span, "option", {}});
  }
  if (ask.options.empty()) outcomes.push_back({"answered", state.span, "outcome", {}});
  return outcomes;
}

std::vector<Outcome> of(const model::Delegate& delegate, const State&,
                        const model::System& system) {
  std::vector<Outcome> outcomes;
  const Machine& machine = system.machine(delegate.machine);
  for (const StateId child : machine.state(0).children) {
    const State& state = machine.state(child);
    if (state.kind != model::StateKind::final) continue;
    const auto same = [&](const Outcome& other) { return other.name == state.outcome; };
    if (std::none_of(outcomes.begin(), outcomes.end(), same)) {
      outcomes.push_back({state.outcome, delegate.span, "outcome", state.span});
    }
  }
  return outcomes;
}

std::vector<Outcome> of(const model::ForEach&, const State& state, const model::System&) {
  return {{"done", state.span, "outcome", {}}, {"failed", state.span, "outcome", {}}};
}

std::vector<Outcome> of(const model::Command&, const State& state, const model::System&) {
  return {{"ok", state.span, "outcome", {}}, {"failed", state.span, "outcome", {}}};
}

std::vector<Outcome> of(const model::WorkspaceOperation& operation, const State& state,
                        const model::System&) {
  std::vector<Outcome> outcomes = {{"ok", state.span, "outcome", {}},
                                   {"failed", state.span, "outcome", {}}};
  if (operation.kind == model::WorkspaceOperation::Kind::merge) {
    outcomes.push_back({"conflict", state.span, "outcome", {}});
  }
  return outcomes;
}

std::vector<Outcome> of(const std::monostate&, const State&, const model::System&) {
  return {};
}

// Descriptors of the state and those around it, innermost first.
std::vector<std::string> descriptors(const Machine& machine, StateId state) {
  std::vector<std::string> result;
  for (StateId id = state; id != model::none; id = machine.state(id).parent) {
    for (const model::TransitionId transition : machine.state(id).on) {
      const auto& events = machine.transitions[transition].events;
      result.insert(result.end(), events.begin(), events.end());
    }
  }
  return result;
}

void check_state(const Machine& machine, const State& state, const model::System& system,
                 Diagnostics& diagnostics) {
  const auto outcomes =
      std::visit([&](const auto& activity) { return of(activity, state, system); }, state.activity);
  if (outcomes.empty()) return;
  const std::vector<std::string> taken = descriptors(machine, state.id);
  for (const Outcome& outcome : outcomes) {
    const bool is_taken = std::any_of(taken.begin(), taken.end(), [&](const std::string& event) {
      return model::matches(event, outcome.name);
    });
    if (is_taken) continue;
    Diagnostic& finding = diagnostics.warning(
        untaken_outcome.name, outcome.span,
        fmt::format("no transition of '{}' or around it takes the {} '{}', which fails the machine",
                    state.name, outcome.what, outcome.name));
    const std::string near = closest(outcome.name, taken);
    finding.help = near.empty() ? fmt::format("add a transition: on: {{{}: STATE}}", outcome.name)
                                : fmt::format("a transition takes '{}'; did you mean '{}'?", near,
                                              outcome.name);
    if (outcome.related) finding.related.push_back({outcome.related, "it comes from here"});
  }
}

void check(const model::System& system, Diagnostics& diagnostics) {
  for (const Machine& machine : system.machines) {
    for (const State& state : machine.states) check_state(machine, state, system, diagnostics);
  }
}

}  // namespace

const Check untaken_outcome = {"untaken-outcome", check};

}  // namespace agneto::lint
