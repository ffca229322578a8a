#include <fmt/format.h>

#include "model/binder.h"
#include "model/values.h"

namespace agneto::model {

std::optional<Access> Binder::read_access(const Node& node) {
  for (const Access access : {Access::read_only, Access::edit, Access::full}) {
    if (as_text(node) == to_text(access)) return access;
  }
  return std::nullopt;
}

std::optional<Millis> Binder::time_limit(const Node& node) {
  const auto limit = as_duration(node);
  if (!limit || limit->count() > 0) return limit;
  diagnostics_.error("bad-limit", node.span, "a limit of no time lets nothing happen").help =
      "give it a duration, or remove the key for the default";
  return std::nullopt;
}

void Binder::bind_agents(const Node& agents) {
  for (const Entry& entry : agents.entries) {
    agent_ids_.emplace(entry.key.text, static_cast<AgentId>(machine_.agents.size()));
    machine_.agents.push_back(agent(entry));
  }
}

Agent Binder::agent(const Entry& entry) {
  Agent agent;
  agent.name = entry.key.text;
  agent.span = entry.key.span;
  for (const auto& [key, value] : entry.value.entries) {
    if (value.kind != yaml::Kind::scalar) continue;
    if (key.text == "hooks") {
      agent.hooks = references_.hooks(value);
      agent.hooks_span = value.span;
    } else if (key.text == "access") {
      agent.access = read_access(value).value_or(agent.access);
    } else if (key.text == "session") {
      set_session(agent, value);
    } else if (key.text == "timeout") {
      agent.timeout = time_limit(value).value_or(agent.timeout);
    } else if (key.text == "idle") {
      agent.idle = time_limit(value).value_or(agent.idle);
    } else if (key.text == "tries") {
      agent.tries = as_integer(value).value_or(agent.tries);
      if (agent.tries == 0) {
        diagnostics_.error("bad-limit", value.span, "no tries: the agent is never called").help =
            "tries: 1 calls it once";
      }
    }
  }
  return agent;
}

void Binder::set_session(Agent& agent, const Node& node) {
  if (node.text == "fresh") return;
  if (node.text == "machine") {
    agent.session = SessionScope::machine;
  } else if (node.text == "run") {
    agent.session = SessionScope::run;
  } else if (const StateId state = machine_.find(node.text); state != none) {
    agent.session = SessionScope::state;
    agent.session_state = state;
  } else {
    const auto names = [this] {
      std::vector<std::string> all = state_names();
      all.insert(all.begin(), {"fresh", "machine", "run"});
      return all;
    };
    suggestions_.give(
        diagnostics_.error(
            "undefined-session", node.span,
            fmt::format("there is no state '{}' for the agent's conversation to live in",
                        node.text)),
        node.text, "sessions", names);
  }
}

void Binder::check_session(const Agent& agent, StateId state, Span span) {
  if (agent.session != SessionScope::state) return;
  const State& scope = machine_.states[agent.session_state];
  if (state == scope.id || is_inside(state, scope.id)) return;
  Diagnostic& problem =
      diagnostics_.error("outside-session", span,
                         fmt::format("'{}' is called outside of '{}', where its conversation lives",
                                     agent.name, scope.name));
  problem.help = "move this state into it, or choose another `session` for the agent";
  problem.related.push_back({agent.span, "the agent is defined here"});
}

}  // namespace agneto::model
