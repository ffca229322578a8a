#include "chart/effect.h"

#include <array>

#include "base/error.h"

namespace agneto::chart {

using model::MachineId;
using model::StateId;
using model::System;

namespace {

template <typename Enum, std::size_t N>
using Names = std::array<std::pair<Enum, const char*>, N>;

constexpr Names<model::Need, 3> needs{{{model::Need::none, "none"},
                                       {model::Need::optional, "optional"},
                                       {model::Need::required, "required"}}};
using Operation = model::WorkspaceOperation::Kind;
constexpr Names<Operation, 3> operations{
    {{Operation::commit, "commit"}, {Operation::merge, "merge"}, {Operation::discard, "discard"}}};
constexpr Names<model::FinalStatus, 3> statuses{{{model::FinalStatus::complete, "complete"},
                                                 {model::FinalStatus::failed, "failed"},
                                                 {model::FinalStatus::aborted, "aborted"}}};

template <typename Enum, std::size_t N>
const char* name_of(const Names<Enum, N>& names, Enum value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  return "";
}

template <typename Enum, std::size_t N>
Enum value_of(const Names<Enum, N>& names, const Json& json) {
  const auto& text = json.get_ref<const std::string&>();
  for (const auto& [value, name] : names) {
    if (text == name) return value;
  }
  throw Error("the record of an effect says '" + text + "', which this version does not know");
}

const model::Delegate& delegate_of(const System& system, MachineId machine, StateId id,
                                   const std::string& path) {
  const model::State& state = system.machine(machine).state(id);
  if (const auto* delegate = model::delegate_of(state.activity)) return *delegate;
  throw Error("the recorded effect '" + path + "' does not fit the workflow: state '" + state.name +
              "' does not delegate to a machine");
}

// The machine and state that a path leads to: each part but the last names a state that delegates.
std::pair<MachineId, StateId> resolve(const System& system, const std::string& path) {
  MachineId machine = 0;
  std::string_view rest = path;
  for (;;) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    const std::string name(part.substr(0, part.find('#')));
    const StateId state = system.machine(machine).find(name);
    if (state == model::none) {
      throw Error("the recorded effect '" + path + "' does not fit the workflow: machine '" +
                  system.machine(machine).name + "' has no state '" + name + "'");
    }
    if (part.size() == rest.size()) return {machine, state};
    rest.remove_prefix(part.size() + 1);
    machine = delegate_of(system, machine, state, path).machine;
  }
}

struct Encoder {
  const System& system;

  Json operator()(const CallAgent& e) const {
    const model::Machine& machine = system.machine(e.machine);
    return {{"effect", "agent"},       {"path", e.path},
            {"machine", machine.name}, {"state", machine.state(e.state).name},
            {"instance", e.instance},  {"entry", e.entry},
            {"scope", e.scope}};
  }
  Json operator()(const AskHuman& e) const {
    Json options = Json::array();
    for (const AskHuman::Option& option : e.options) {
      Json& json = options.emplace_back(Json{{"name", option.name},
                                             {"label", option.label},
                                             {"feedback", name_of(needs, option.feedback)}});
      if (option.edit) json["edit"] = *option.edit;
    }
    return {{"effect", "ask"},
            {"path", e.path},
            {"question", e.question},
            {"show", e.show},
            {"options", options},
            {"default", e.default_option},
            {"text", name_of(needs, e.text)}};
  }
  Json operator()(const RunCommand& e) const {
    Json env = Json::array();
    for (const auto& [name, value] : e.env) env.push_back({{"name", name}, {"value", value}});
    Json json = {{"effect", "run"}, {"path", e.path}, {"argv", e.argv},
                 {"env", env},      {"once", e.once}, {"timeout", e.timeout.count()}};
    if (e.read_only) json["read_only"] = true;
    return json;
  }
  Json operator()(const GitOperation& e) const {
    return {
        {"effect", "workspace"}, {"path", e.path},     {"operation", name_of(operations, e.kind)},
        {"message", e.message},  {"squash", e.squash}, {"into", e.into}};
  }
  Json operator()(const OpenWorkspace& e) const {
    return {{"effect", "open workspace"}, {"path", e.path}};
  }
  Json operator()(const JoinWorkspaces& e) const {
    return {{"effect", "join workspaces"},
            {"path", e.path},
            {"opened", e.opened},
            {"completed", e.completed}};
  }
  Json operator()(const RunMachine& e) const {
    return {{"effect", "machine"},
            {"path", e.path},
            {"machine", system.machine(e.machine).name},
            {"inputs", e.inputs}};
  }
  Json operator()(const StartTimer& e) const {
    return {{"effect", "timer"},
            {"path", e.path},
            {"delay", e.delay.count()},
            {"pausable", e.pausable}};
  }
  Json operator()(const Cancel& e) const { return {{"effect", "cancel"}, {"path", e.path}}; }
  Json operator()(const Finish& e) const {
    return {{"effect", "finish"},
            {"outcome", e.outcome},
            {"status", name_of(statuses, e.status)},
            {"outputs", e.outputs},
            {"reason", e.reason}};
  }
  Json operator()(const Suspend& e) const {
    return {{"effect", "suspend"}, {"path", e.path}, {"reason", e.reason}};
  }
};

AskHuman decode_ask(const Json& json) {
  AskHuman e;
  e.path = json.at("path");
  e.question = json.at("question");
  e.show = json.at("show");
  for (const Json& option : json.at("options")) {
    std::optional<std::string> edit;
    if (option.contains("edit")) edit = option.at("edit").get<std::string>();
    e.options.push_back({option.at("name"), option.at("label"),
                         value_of(needs, option.at("feedback")), std::move(edit)});
  }
  e.default_option = json.at("default");
  e.text = value_of(needs, json.at("text"));
  return e;
}

RunCommand decode_run(const Json& json) {
  RunCommand e;
  e.path = json.at("path");
  e.argv = json.at("argv").get<std::vector<std::string>>();
  for (const Json& variable : json.at("env")) {
    e.env.emplace_back(variable.at("name"), variable.at("value"));
  }
  e.timeout = Millis(json.at("timeout").get<std::int64_t>());
  e.once = json.at("once");
  e.read_only = json.value("read_only", false);
  return e;
}

}  // namespace

const std::string& path_of(const Effect& effect) {
  static const std::string nothing;
  return std::visit(
      [](const auto& e) -> const std::string& {
        if constexpr (requires { e.path; }) {
          return e.path;
        } else {
          return nothing;
        }
      },
      effect);
}

std::string workspace_of(const System& system, std::string_view path) {
  std::size_t end = 0;  // of the item's path
  MachineId machine = 0;
  for (std::size_t at = 0, slash; (slash = path.find('/', at)) != path.npos; at = slash + 1) {
    const std::string_view part = path.substr(at, slash - at);
    const StateId state = system.machine(machine).find(std::string(part.substr(0, part.find('#'))));
    if (state == model::none) break;
    const model::Activity& activity = system.machine(machine).state(state).activity;
    const auto* loop = std::get_if<model::ForEach>(&activity);
    if (loop && loop->own_workspace) end = slash;
    const auto* to = model::delegate_of(activity);
    if (!to) break;
    machine = to->machine;
  }
  return std::string(path.substr(0, end));
}

Json to_json(const Effect& effect, const System& system) {
  return std::visit(Encoder{system}, effect);
}

Effect effect_from_json(const Json& json, const System& system) {
  const auto& kind = json.at("effect").get_ref<const std::string&>();
  if (kind == "agent") {
    const std::string path = json.at("path");
    const auto [machine, state] = resolve(system, path);
    return CallAgent{path, machine, state, json.at("instance"), json.at("entry"), json.at("scope")};
  }
  if (kind == "ask") return decode_ask(json);
  if (kind == "run") return decode_run(json);
  if (kind == "workspace") {
    return GitOperation{json.at("path"), value_of(operations, json.at("operation")),
                        json.at("message"), json.at("squash"), json.at("into")};
  }
  if (kind == "open workspace") return OpenWorkspace{json.at("path")};
  if (kind == "join workspaces") {
    return JoinWorkspaces{json.at("path"), json.at("opened"),
                          json.at("completed").get<std::vector<std::uint32_t>>()};
  }
  if (kind == "machine") {
    const std::string path = json.at("path");
    const auto [machine, state] = resolve(system, path);
    return RunMachine{path, delegate_of(system, machine, state, path).machine, json.at("inputs")};
  }
  if (kind == "timer") {
    return StartTimer{json.at("path"), Millis(json.at("delay").get<std::int64_t>()),
                      json.at("pausable")};
  }
  if (kind == "cancel") return Cancel{json.at("path")};
  if (kind == "finish") {
    return Finish{json.at("outcome"), value_of(statuses, json.at("status")), json.at("outputs"),
                  json.at("reason")};
  }
  if (kind == "suspend") return Suspend{json.at("path"), json.at("reason")};
  throw Error("the record of an effect says '" + kind + "', which this version does not know");
}

}  // namespace agneto::chart
