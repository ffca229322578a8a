#include "lint/outcomes.h"

#include <algorithm>

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;

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

std::vector<Outcome> of(const model::Program&, const State& state, const model::System&) {
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

using Names = std::vector<std::string>;

Names fields_of(const model::AgentCall& call, const model::System&, const std::string& outcome) {
  if (call.verdicts.empty()) return engine_fields("agent", outcome);
  Names names;
  for (const model::Verdict& verdict : call.verdicts) {
    if (verdict.name != outcome) continue;
    for (const model::Field& field : verdict.fields) names.push_back(field.name);
  }
  return names;
}

Names fields_of(const model::Delegate& delegate, const model::System& system, const std::string&) {
  Names names;
  for (const model::Binding& output : system.machine(delegate.machine).outputs) {
    names.push_back(output.name);
  }
  return names;
}

Names fields_of(const model::Ask&, const model::System&, const std::string& outcome) {
  return engine_fields("ask", outcome);
}

Names fields_of(const model::ForEach&, const model::System&, const std::string& outcome) {
  return engine_fields("for_each", outcome);
}

Names fields_of(const model::Program&, const model::System&, const std::string& outcome) {
  return engine_fields("run", outcome);
}

Names fields_of(const model::WorkspaceOperation&, const model::System&,
                const std::string& outcome) {
  return engine_fields("workspace", outcome);
}

Names fields_of(const std::monostate&, const model::System&, const std::string&) {
  return {};
}

}  // namespace

std::vector<std::string> engine_fields(std::string_view activity, std::string_view outcome) {
  if (activity == "agent") return {"reply"};
  if (activity == "ask" && outcome == "answered") return {"text", "feedback", "by"};
  if (activity == "ask") return {"feedback", "edited", "by"};
  if (activity == "for_each" && outcome == "failed") return {"results", "message"};
  if (activity == "for_each") return {"results"};
  if (activity == "run") return {"status", "output", "message"};
  if (activity == "workspace") return {"commit", "message", "files"};
  return {};
}

std::vector<Outcome> outcomes(const State& state, const model::System& system) {
  return std::visit([&](const auto& activity) { return of(activity, state, system); },
                    state.activity);
}

std::optional<std::vector<std::string>> fields(const State& state, const model::System& system,
                                               const std::string& outcome) {
  const auto all = outcomes(state, system);
  const bool exists =
      std::any_of(all.begin(), all.end(), [&](const Outcome& one) { return one.name == outcome; });
  if (!exists) return std::nullopt;
  return std::visit([&](const auto& activity) { return fields_of(activity, system, outcome); },
                    state.activity);
}

std::vector<model::TransitionId> takers(const Machine& machine, StateId state,
                                        std::string_view event) {
  std::vector<model::TransitionId> result;
  for (StateId id = state; id != model::none; id = machine.state(id).parent) {
    for (const model::TransitionId transition : machine.state(id).on) {
      const auto& events = machine.transitions[transition].events;
      if (std::any_of(events.begin(), events.end(),
                      [&](const std::string& one) { return model::matches(one, event); })) {
        result.push_back(transition);
      }
    }
  }
  return result;
}

}  // namespace agneto::lint
