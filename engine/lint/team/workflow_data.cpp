#include "lint/team/workflow_data.h"

#include "base/overloaded.h"

namespace agneto::lint {

namespace {

using namespace model;

std::string_view to_text(StateKind kind) {
  constexpr std::string_view names[] = {"atomic", "compound", "parallel",
                                        "final",  "history",  "history"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view to_text(SessionScope scope) {
  constexpr std::string_view names[] = {"fresh", "machine", "run", "state"};
  return names[static_cast<std::size_t>(scope)];
}

std::string_view to_text(Need need) {
  constexpr std::string_view names[] = {"none", "optional", "required"};
  return names[static_cast<std::size_t>(need)];
}

class Writer {
 public:
  Writer(const System& system, const Machine& machine, std::vector<Span>& places)
      : system_(system), machine_(machine), places_(places) {}

  Json machine() {
    Json json = state(machine_.state(0));
    json["description"] = machine_.description;
    json["file"] = machine_.file.string();
    json["inputs"] = list(machine_.inputs, [&](const Variable& one) { return variable(one); });
    json["context"] = list(machine_.context, [&](const Variable& one) { return variable(one); });
    json["agents"] = list(machine_.agents, [&](const Agent& one) { return agent(one); });
    json["outputs"] = bindings(machine_.outputs);
    json["invariants"] = list(machine_.invariants, [&](const Invariant& one) {
      Json said = code(one.code);
      switch (one.kind) {
        case Invariant::Kind::never:
          said["kind"] = "never";
          break;
        case Invariant::Kind::always_eventually:
          said["kind"] = "always_eventually";
          break;
        case Invariant::Kind::leads_to:
          said["kind"] = "eventually";
          said["after"] = code(one.after);
          break;
      }
      return said;
    });
    json["limits"] = limits();
    json["states"] = Json::array();
    for (StateId id = 1; id < machine_.states.size(); ++id) {
      json["states"].push_back(state(machine_.state(id)));
    }
    return json;
  }

 private:
  Json element(const Span& span) {
    places_.push_back(span);
    return {{"place", places_.size()}};
  }

  template <typename Element, typename Write>
  static Json list(const std::vector<Element>& all, Write write) {
    Json json = Json::array();
    for (const Element& one : all) json.push_back(write(one));
    return json;
  }

  Json code(CodeId id) {
    const Code& code = machine_.code[id];
    Json json = element(code.span);
    json["text"] = code.text;
    return json;
  }
  Json codes(const std::vector<CodeId>& all) {
    return list(all, [&](CodeId one) { return code(one); });
  }
  void add_count(Json& json, const char* key, const model::Count& count) {
    json[key] = count.number;
    add_code(json, key, count.code);
  }

  void add_code(Json& json, const char* key, CodeId id) {
    if (id != none) json[key] = code(id);
  }

  Json text(const Template& given) {
    Json json = element(given.span);
    std::string whole;
    for (const Template::Part& part : given.parts) {
      whole += part.code == none ? part.text : "{{" + machine_.code[part.code].text + "}}";
    }
    json["text"] = std::move(whole);
    return json;
  }

  Json bindings(const std::vector<Binding>& all) {
    return list(all, [&](const Binding& one) {
      Json json = element(one.span);
      json["name"] = one.name;
      json["value"] = code(one.value);
      return json;
    });
  }

  Json names(const std::vector<StateId>& states) const {
    return list(states, [&](StateId id) { return Json(machine_.state(id).name); });
  }

  Json variable(const Variable& variable) {
    Json json = element(variable.span);
    json["name"] = variable.name;
    json["type"] = model::to_text(variable.type);
    json["required"] = variable.required();
    json["description"] = variable.description;
    if (variable.initial && !variable.initial->is_null()) json["default"] = *variable.initial;
    add_code(json, "init", variable.init);
    return json;
  }

  Json agent(const Agent& agent) {
    Json json = element(agent.span);
    json["name"] = agent.name;
    json["hooks"] = agent.hooks.string();
    json["access"] = model::to_text(agent.access);
    json["session"] = to_text(agent.session);
    json["timeout"] = agent.timeout.count();
    json["idle"] = agent.idle.count();
    json["tries"] = model::usual_of_agent.with(agent.settings.retry).tries;
    return json;
  }

  Json limits() const {
    const Limits& limits = machine_.limits;
    Json json = Json::object();
    if (limits.calls > 0) json["calls"] = limits.calls;
    if (limits.cost > 0) json["cost"] = limits.cost;
    if (limits.tokens > 0) json["tokens"] = limits.tokens;
    if (limits.time.count() > 0) json["time"] = limits.time.count();
    return json;
  }

  std::string path_of(const State& state) const {
    const bool outermost = state.parent == none || state.parent == 0;
    return outermost ? state.name : path_of(machine_.state(state.parent)) + "." + state.name;
  }

  Json state(const State& state) {
    Json json = element(state.span);
    json["name"] = state.name;
    json["path"] = path_of(state);
    json["kind"] = to_text(state.kind);
    if (state.parent != none && state.parent != 0) {
      json["parent"] = machine_.state(state.parent).name;
    }
    json["initial"] = names(state.start.targets);
    json["entry"] = codes(state.entry);
    json["exit"] = codes(state.exit);
    json["transitions"] = Json::array();
    for (const auto* all : {&state.on, &state.always, &state.after}) {
      for (const TransitionId id : *all) {
        json["transitions"].push_back(transition(machine_.transitions[id]));
      }
    }
    if (state.has_activity()) json["activity"] = activity(state);
    if (state.kind == StateKind::deep_history) json["deep"] = true;
    if (state.kind == StateKind::final) {
      json["status"] = model::to_text(state.status);
      if (!state.outcome.empty()) json["outcome"] = state.outcome;
      json["outputs"] = bindings(state.outputs);
    }
    return json;
  }

  Json transition(const Transition& transition) {
    Json json = element(transition.span);
    json["events"] = transition.events;
    json["targets"] = names(transition.targets);
    json["actions"] = codes(transition.actions);
    json["internal"] = transition.internal;
    add_code(json, "guard", transition.guard);
    if (transition.timer == none) return json;
    json["wall"] = transition.wall;
    json["after"] = transition.delay.count();
    add_code(json, "after", transition.delay_code);
    return json;
  }

  Json activity(const State& state) {
    Json json = element(state.span);
    std::visit(Overloaded{[](std::monostate) {}, [&](const AgentCall& call) { write(call, json); },
                          [&](const Ask& ask) { write(ask, json); },
                          [&](const Delegate& delegate) {
                            json["kind"] = "machine";
                            write(delegate, json);
                          },
                          [&](const ForEach& loop) { write(loop, json); },
                          [&](const Program& program) { write(program, json); },
                          [&](const WorkspaceOperation& operation) { write(operation, json); }},
               state.activity);
    return json;
  }

  void write(const AgentCall& call, Json& json) {
    json["kind"] = "agent";
    json["agent"] = machine_.agents[call.agent].name;
    if (!call.task.empty()) json["task"] = call.task;
    json["access"] = model::to_text(call.access);
    json["verdicts"] = list(call.verdicts, [&](const Verdict& verdict) {
      Json one = element(verdict.span);
      one["name"] = verdict.name;
      one["fields"] = list(verdict.fields, [](const Field& field) {
        return Json{{"name", field.name}, {"type", model::to_text(field.type)}};
      });
      return one;
    });
  }

  void write(const Ask& ask, Json& json) {
    json["kind"] = "ask";
    json["question"] = text(ask.question);
    add_code(json, "show", ask.show);
    json["options"] = list(ask.options, [&](const Option& option) {
      Json one = element(option.span);
      one["name"] = option.name;
      one["label"] = text(option.label);
      one["feedback"] = to_text(option.feedback);
      add_code(one, "when", option.when);
      add_code(one, "edit", option.edit);
      return one;
    });
    if (!ask.default_option.empty()) json["default"] = ask.default_option;
    json["text"] = to_text(ask.text);
  }

  void write(const Delegate& delegate, Json& json) {
    if (delegate.machine != none) json["machine"] = system_.machine(delegate.machine).name;
    json["with"] = bindings(delegate.with);
  }

  void write(const ForEach& loop, Json& json) {
    json["kind"] = "for_each";
    json["items"] = code(loop.items);
    json["as"] = loop.as;
    add_count(json, "max_parallel", loop.max_parallel);
    add_count(json, "needed", loop.needed);
    json["own_workspace"] = loop.own_workspace;
    write(loop.each, json);
  }

  void write(const Program& program, Json& json) {
    json["kind"] = "run";
    if (program.kind == Program::Kind::argv) {
      json["argv"] = list(program.argv, [&](const Template& one) { return text(one); });
    } else if (program.kind == Program::Kind::shell) {
      json["shell"] = program.shell;
    } else {
      json["command"] = code(program.command);
    }
    json["env"] = bindings(program.env);
    json["timeout"] = program.timeout.count();
    json["once"] = program.once;
    json["access"] = model::to_text(program.access);
  }

  void write(const WorkspaceOperation& operation, Json& json) {
    constexpr const char* kinds[] = {"commit", "merge", "discard"};
    json["kind"] = kinds[static_cast<std::size_t>(operation.kind)];
    if (!operation.message.parts.empty()) json["message"] = text(operation.message);
    if (operation.kind != WorkspaceOperation::Kind::merge) return;
    json["squash"] = operation.squash;
    if (!operation.into.parts.empty()) json["into"] = text(operation.into);
  }

  const System& system_;
  const Machine& machine_;
  std::vector<Span>& places_;
};

}  // namespace

Json workflow_data(const System& system, const Machine& machine, std::vector<Span>& places) {
  return Writer(system, machine, places).machine();
}

}  // namespace agneto::lint
