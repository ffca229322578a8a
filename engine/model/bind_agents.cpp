// Agents, and the calls to them.
#include <fmt/format.h>

#include <algorithm>

#include "lua/prompt.h"
#include "model/bind_settings.h"
#include "model/binder.h"
#include "model/inline_prompt.h"
#include "model/outcomes.h"
#include "model/rules.h"
#include "model/shape.h"
#include "model/traps.h"
#include "model/values.h"

namespace agneto::model {

void Binder::bind_agents(const Node& agents) {
  machine_.agents.resize(agents.entries.size());
  std::vector<Progress> progress(agents.entries.size(), Progress::waiting);
  for (std::size_t i = 0; i < agents.entries.size(); ++i) {
    const Node& name = agents.entries[i].key;
    machine_.agents[i].name = name.text;
    machine_.agents[i].span = name.span;
    agent_ids_.emplace(name.text, static_cast<AgentId>(i));
  }
  for (AgentId id = 0; id < progress.size(); ++id) bind_agent(agents, id, progress);
}

// An agent that extends another is bound behind that.
void Binder::bind_agent(const Node& agents, AgentId id, std::vector<Progress>& progress) {
  if (progress[id] == Progress::done) return;
  progress[id] = Progress::begun;
  const Entry& entry = agents.entries[id];
  const Node* extends = entry.value.find("extends");
  Agent agent;
  if (extends && extends->kind == yaml::Kind::scalar) {
    const AgentId base = agent_named(*extends);
    if (base != none && progress[base] == Progress::begun) {
      diagnostics_
          .report(rules::extension, extends->span,
                  fmt::format("the agent '{}' extends itself{}", entry.key.text,
                              base == id ? "" : fmt::format(", by '{}'", extends->text)),
                  "write out in one of them what both have")
          .related.push_back({machine_.agents[base].span, "the circle begins here"});
    } else if (base != none) {
      bind_agent(agents, base, progress);
      agent = machine_.agents[base];
      agent.extends = base;
    }
  }
  agent.name = entry.key.text;
  agent.span = entry.key.span;
  set_parts(agent, entry.value);
  machine_.agents[id] = std::move(agent);
  progress[id] = Progress::done;
}

void Binder::set_parts(Agent& agent, const Node& node) {
  const bool has_base = has_or_means(node, construct(ConstructId::agent), "extends");
  if (node.kind == yaml::Kind::map && !(has_base && !node.find("prompt") && !node.find("hooks"))) {
    check_one_of(node, agent.span, ConstructId::agent, {"prompt", "hooks"});
  }
  if (const Node* files = node.find("files")) agent.files = paths(*files, "files");
  check_tries(node, agent.name);
  if (const Node* provider = node.find("provider")) {  // than that of the agent that it extends
    agent.settings.change_provider(provider->text);
  }
  for (const auto& [key, value] : node.entries) {
    read_setting(agent.settings, key.text, value, diagnostics_);
    if (value.kind != yaml::Kind::scalar) continue;
    if (key.text == "prompt" && is_inline_prompt(value.text)) {
      check_prompt(value, diagnostics_);
      agent.hooks = inline_prompt_path(references_.file_of(value), agent.name);
      agent.hooks_span = value.span;
    } else if (key.text == "hooks" || key.text == "prompt") {
      const bool is_prompt = lua::is_prompt(value.text);
      if (is_prompt != (key.text == "prompt")) {
        diagnostics_.report(rules::hooks, value.span,
                            is_prompt ? "'" + value.text + "' is Markdown and no Lua module"
                                      : "'" + value.text + "' is no Markdown file",
                            is_prompt
                                ? "write prompt: " + value.text
                                : "a prompt is a file of Markdown, as in prompt: coder.md, or the "
                                  "text itself; a Lua module is named by `hooks`");
        continue;
      }
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
    }
  }
}

void Binder::check_tries(const Node& node, const std::string& agent) {
  const Node* tries = node.find("tries");
  const Node* retry = node.find("retry");
  if (!tries || !retry || !retry->find("tries")) return;
  diagnostics_.report(rules::one_of, tries->span,
                      fmt::format("'{}' says twice how often it is tried", agent),
                      "keep `tries`, or that of `retry`");
}

AgentId Binder::agent_named(const Node& name) {
  const auto known = agent_ids_.find(name.text);
  if (known != agent_ids_.end()) return known->second;
  if (agents_unread_) return none;
  Diagnostic& problem = diagnostics_.report(rules::undefined_agent, name.span,
                                            fmt::format("there is no agent '{}'", name.text));
  if (machine_.agents.empty()) {
    problem.help = "define it under `agents` at the top of the file";
  } else {
    suggestions_.give(problem, name.text, "agents", [this] { return names_of(machine_.agents); });
  }
  return none;
}

void Binder::set_session(Agent& agent, const Node& node) {
  if (node.text == "fresh") {
    agent.session = SessionScope::fresh;
  } else if (node.text == "machine") {
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
        diagnostics_.report(
            rules::undefined_session, node.span,
            fmt::format("there is no state '{}' for the agent's conversation to live in",
                        node.text)),
        node.text, "sessions", names);
  }
}

void Binder::check_session(const Agent& agent, StateId state, Span span) {
  if (agent.session != SessionScope::state) return;
  const State& scope = machine_.states[agent.session_state];
  if (state == scope.id || machine_.is_descendant(state, scope.id)) return;
  Diagnostic& problem = diagnostics_.report(
      rules::outside_session, span,
      fmt::format("'{}' is called outside of '{}', where its conversation lives", agent.name,
                  scope.name),
      "move this state into it, or choose another `session` for the agent");
  problem.related.push_back({agent.span, "the agent is defined here"});
}

AgentCall Binder::agent_call(const Node& node, StateId state) {
  AgentCall call;
  const Node* name = node.kind == yaml::Kind::map ? node.find("name") : &node;
  if (name && name->kind == yaml::Kind::scalar) {
    call.agent = agent_named(*name);
    if (call.agent != none) {
      const Agent& agent = machine_.agents[call.agent];
      call.access = agent.access;
      call.files = agent.files;
      check_session(agent, state, name->span);
    }
  }
  if (name) call.span = name->span;
  if (const Node* task = node.find("task")) {
    call.task = as_text(*task).value_or("");
    call.span = task->span;
  }
  if (const Node* access = node.find("access"); access && call.agent != none) {
    const Agent& agent = machine_.agents[call.agent];
    call.access = read_access(*access).value_or(agent.access);
    if (call.access > agent.access) {
      Diagnostic& problem = diagnostics_.report(
          rules::wider_access, access->span,
          fmt::format("'{}' is more than the agent '{}' may do", to_text(call.access), agent.name),
          fmt::format("a state may only narrow what an agent may do ({})", to_text(agent.access)));
      problem.related.push_back({agent.span, "the agent is defined here"});
    }
  }
  if (const Node* files = node.find("files")) {
    for (Template& one : paths(*files, "files")) call.files.push_back(std::move(one));
  }
  if (const Node* verdicts = node.find("verdicts")) set_verdicts(call, *verdicts);
  for (const auto& [key, value] : node.entries) {
    read_setting(call.settings, key.text, value, diagnostics_);
  }
  return call;
}

void Binder::set_verdicts(AgentCall& call, const Node& node) {
  if (node.kind != yaml::Kind::scalar) {
    call.verdicts = verdicts(node);
    return;
  }
  const auto& sets = machine_.verdict_sets;
  const auto set = std::find_if(sets.begin(), sets.end(), [&](const VerdictSet& candidate) {
    return candidate.name == node.text;
  });
  if (set != sets.end()) {
    call.verdict_set = static_cast<std::uint32_t>(set - sets.begin());
    call.verdicts = set->verdicts;
    return;
  }
  Diagnostic& problem =
      diagnostics_.report(rules::undefined_verdicts, node.span,
                          fmt::format("there is no set of verdicts '{}'", node.text));
  if (sets.empty()) {
    problem.help =
        "define it under `verdicts` at the top of the file, or write {GOOD: {}, BAD: {}}";
  } else {
    suggestions_.give(problem, node.text, "sets of verdicts", [&] { return names_of(sets); });
  }
}

std::vector<Verdict> Binder::verdicts(const Node& node) {
  std::vector<Verdict> result;
  for (const auto& [name, fields] : node.entries) {
    check_outcome_name(name, "a verdict");
    Verdict verdict{name.text, {}, name.span};
    if (fields.kind == yaml::Kind::map) verdict.fields = read_fields(fields, diagnostics_);
    for (const Entry& field : fields.entries) {
      if (field.key.text != "verdict") continue;
      diagnostics_.report(
          rules::reserved_name, field.key.span,
          "'verdict' is the name of the verdict in a reply, and cannot name a field",
          "choose another name");
    }
    result.push_back(std::move(verdict));
  }
  return result;
}

}  // namespace agneto::model
