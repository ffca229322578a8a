#include "chart/effect.h"

#include "base/error.h"
#include "chart/path.h"

namespace agneto {

template <>
inline constexpr std::array enum_names<model::WorkspaceOperation::Kind>{"commit", "merge",
                                                                        "discard"};

// Its own `kind` is that of the operation.
template <>
inline constexpr std::string_view kind_name<chart::GitOperation> = "workspace";

template <>
struct Coding<std::pair<std::string, std::string>> {  // a variable of the environment
  static Json to(const std::pair<std::string, std::string>& variable) {
    return {{"name", variable.first}, {"value", variable.second}};
  }
  static void from(const Json& json, std::pair<std::string, std::string>& variable) {
    variable = {json.at("name"), json.at("value")};
  }
};

}  // namespace agneto

namespace agneto::model {

void fields(auto& field, Of<Retry> auto& retry) {
  field("tries", retry.tries);
  field("backoff", retry.backoff);
  field("max", retry.longest);
  field("on", retry.on);
}

}  // namespace agneto::model

namespace agneto::chart {

using model::MachineId;
using model::StateId;
using model::System;

void fields(auto& field, Of<NamedCall> auto& e) {
  field("path", e.path);
  field("machine", e.machine);
  field("state", e.state);
  field("instance", e.instance);
  field("entry", e.entry);
  field("scope", e.scope);
  field.sparse("files", e.files);
}

void fields(auto& field, Of<AskHuman::Option> auto& option) {
  field("name", option.name);
  field("label", option.label);
  field("feedback", option.feedback);
  field.sparse("edit", option.edit);
}

void fields(auto& field, Of<AskHuman> auto& e) {
  field("path", e.path);
  field("question", e.question);
  field("show", e.show);
  field("options", e.options);
  field("default", e.default_option);
  field("text", e.text);
}

void fields(auto& field, Of<RunCommand> auto& e) {
  field("path", e.path);
  field("argv", e.argv);
  field("env", e.env);
  field("once", e.once);
  field("timeout", e.timeout);
  field.sparse("read_only", e.read_only);
  field.sparse("cwd", e.cwd);
  field.sparse("retry", e.retry);
}

void fields(auto& field, Of<GitOperation> auto& e) {
  field("path", e.path);
  field("operation", e.kind);
  field("message", e.message);
  field("squash", e.squash);
  field("into", e.into);
}

void fields(auto& field, Of<JoinWorkspaces> auto& e) {
  field("path", e.path);
  field("opened", e.opened);
  field("completed", e.completed);
}

void fields(auto& field, Of<NamedMachine> auto& e) {
  field("path", e.path);
  field("machine", e.machine);
  field("inputs", e.inputs);
}

void fields(auto& field, Of<StartTimer> auto& e) {
  field("path", e.path);
  field("delay", e.delay);
  field("pausable", e.pausable);
}

void fields(auto& field, Of<OpenWorkspace> auto& e) {
  field("path", e.path);
}

void fields(auto& field, Of<Cancel> auto& e) {
  field("path", e.path);
}

void fields(auto& field, Of<Finish> auto& e) {
  field("outcome", e.outcome);
  field("status", e.status);
  field("outputs", e.outputs);
  field("reason", e.reason);
}

void fields(auto& field, Of<Suspend> auto& e) {
  field("path", e.path);
  field("reason", e.reason);
}

namespace {

const model::Delegate& delegate_of(const System& system, Located at, const std::string& path) {
  const model::State& state = system.machine(at.machine).state(at.state);
  if (const auto* delegate = model::delegate_of(state.activity)) return *delegate;
  throw Error("the recorded effect '" + path + "' does not fit the workflow: state '" + state.name +
              "' does not delegate to a machine");
}

// The state that a path leads to: each part but the last names one that delegates.
Located resolve(const System& system, const std::string& text) {
  const auto path = Path::parse(text);
  if (!path || path->parts.empty()) throw Error("'" + text + "' is no path of an effect");
  Located at{0, model::none};
  for (const Path::Part& part : path->parts) {
    if (at.state != model::none) at.machine = delegate_of(system, at, text).machine;
    at.state = system.machine(at.machine).find(part.name);
    if (at.state == model::none) {
      throw Error("the recorded effect '" + text + "' does not fit the workflow: machine '" +
                  system.machine(at.machine).name + "' has no state '" + part.name + "'");
    }
  }
  return at;
}

}  // namespace

std::string RunCommand::shown() const {
  return join(argv, " ") + (cwd.empty() ? "" : " (in " + cwd + ")");
}

std::string_view kind_of(const Effect& effect) {
  return kind_in(effect);
}

const model::AgentCall& activity_of(const CallAgent& call, const System& system) {
  return std::get<model::AgentCall>(system.machine(call.machine).state(call.state).activity);
}

const model::Agent& agent_of(const CallAgent& call, const System& system) {
  return system.machine(call.machine).agents[activity_of(call, system).agent];
}

std::string workspace_of(const System& system, std::string_view text) {
  Path path = Path::parse(text).value_or(Path());
  const auto states = states_of(system, path);
  std::size_t inside = states.size();  // how many parts lead to the item
  for (; inside > 0; --inside) {
    const auto [machine, state] = states[inside - 1];
    const auto* loop = std::get_if<model::ForEach>(&system.machine(machine).state(state).activity);
    const bool in_item =
        path.parts[inside - 1].item > 0 && (inside < path.parts.size() || path.is_timer());
    if (loop && loop->own_workspace && in_item) break;
  }
  Path item;
  item.parts.assign(path.parts.begin(), path.parts.begin() + static_cast<std::ptrdiff_t>(inside));
  return item.text();
}

NamedEffect named(const Effect& effect, const System& system) {
  return std::visit(
      [&](const auto& e) -> NamedEffect {
        using Kind = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<Kind, CallAgent>) {
          const model::Machine& machine = system.machine(e.machine);
          return NamedCall{e.path,  machine.name, machine.state(e.state).name, e.instance, e.entry,
                           e.scope, e.files};
        } else if constexpr (std::is_same_v<Kind, RunMachine>) {
          return NamedMachine{e.path, system.machine(e.machine).name, e.inputs};
        } else {
          return e;
        }
      },
      effect);
}

Effect resolved(const NamedEffect& effect, const System& system) {
  return std::visit(
      [&](const auto& e) -> Effect {
        using Kind = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<Kind, NamedCall>) {
          const auto [machine, state] = resolve(system, e.path);
          return CallAgent{e.path, machine, state, e.instance, e.entry, e.scope, e.files};
        } else if constexpr (std::is_same_v<Kind, NamedMachine>) {
          const Located at = resolve(system, e.path);
          return RunMachine{e.path, delegate_of(system, at, e.path).machine, e.inputs};
        } else {
          return e;
        }
      },
      effect);
}

Json to_json(const Effect& effect, const System& system) {
  return to_fields(named(effect, system));
}

Effect effect_from_json(const Json& json, const System& system) {
  return resolved(from_fields<NamedEffect>(json), system);
}

}  // namespace agneto::chart

namespace agneto {

using chart::NamedEffect;

Json Coding<NamedEffect>::to(const NamedEffect& effect) {
  Json json = std::visit([](const auto& e) { return to_fields(e); }, effect);
  json["effect"] = kind_in(effect);
  return json;
}

void Coding<NamedEffect>::from(const Json& json, NamedEffect& effect) {
  const auto& kind = json.at("effect").get_ref<const std::string&>();
  if (!become(effect, kind)) {
    throw Error("the record of an effect says '" + kind + "', which this version does not know");
  }
  std::visit([&](auto& e) { from_fields(json, e); }, effect);
}

}  // namespace agneto
