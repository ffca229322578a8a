#include "play/macrostep.h"

#include "chart/called.h"
#include "chart/path.h"

namespace agneto::play {

namespace {

// "SUB#1/A#2/after:1" -> "A"; a machine's own timer "SUB#1/./after:1" -> "SUB".
std::string subject(std::string_view text, const model::System& system) {
  const auto path = chart::Path::parse(text).value_or(chart::Path());
  if (path.send) return *path.send;
  return path.parts.empty() ? system.main().name : path.name();
}

Json describe(const chart::Effect& effect, const model::System& system) {
  Json json = chart::to_json(effect, system);
  json["kind"] = kind_of(effect);
  json["name"] = name_of(effect, system);
  if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
    const auto& activity = chart::activity_of(*call, system);
    json["access"] = model::to_text(activity.access);
    json["task"] = activity.task;
  }
  json.erase("effect");
  return json;
}

Json describe(const chart::Effects::Taken& taken, const model::System& system) {
  const model::Machine& machine = system.machine(taken.machine);
  const model::Transition& transition = machine.transitions[taken.transition];
  Json targets = Json::array();
  for (const model::StateId target : transition.targets) {
    targets.push_back(machine.state(target).name);
  }
  Json json = {{"source", machine.state(transition.source).name},
               {"target", nullptr},
               {"line", transition.span.line()}};
  if (!targets.empty()) json["target"] = targets.size() == 1 ? targets.front() : targets;
  if (!taken.instance.empty()) json["instance"] = taken.instance;
  return json;
}

}  // namespace

std::string name_of(const chart::ActiveState& state, const model::System& system) {
  const std::string& name = system.machine(state.machine).state(state.state).name;
  return chart::within(state.instance, name);
}

std::string kind_of(const chart::Effect& effect) {
  struct Kind {
    const char* operator()(const chart::CallAgent&) { return "agent"; }
    const char* operator()(const chart::AskHuman&) { return "ask"; }
    const char* operator()(const chart::RunCommand&) { return "run"; }
    const char* operator()(const chart::GitOperation&) { return "workspace"; }
    const char* operator()(const chart::OpenWorkspace&) { return "open workspace"; }
    const char* operator()(const chart::JoinWorkspaces&) { return "join workspaces"; }
    const char* operator()(const chart::RunMachine&) { return "machine"; }
    const char* operator()(const chart::StartTimer&) { return "timer"; }
    const char* operator()(const chart::Cancel&) { return "cancel"; }
    const char* operator()(const chart::Finish&) { return "finish"; }
    const char* operator()(const chart::Suspend&) { return "suspend"; }
  };
  return std::visit(Kind{}, effect);
}

std::string name_of(const chart::Effect& effect, const model::System& system) {
  struct Name {
    const model::System& system;
    std::string operator()(const chart::CallAgent& e) const {
      return chart::agent_of(e, system).name;
    }
    std::string operator()(const chart::GitOperation& e) const {
      return chart::to_json(e, system).at("operation");
    }
    std::string operator()(const chart::RunMachine& e) const {
      return system.machine(e.machine).name;
    }
    std::string operator()(const chart::Finish& e) const { return e.outcome; }
    std::string operator()(const chart::AskHuman& e) const { return subject(e.path, system); }
    std::string operator()(const chart::RunCommand& e) const { return subject(e.path, system); }
    std::string operator()(const chart::OpenWorkspace& e) const { return subject(e.path, system); }
    std::string operator()(const chart::JoinWorkspaces& e) const { return subject(e.path, system); }
    std::string operator()(const chart::StartTimer& e) const { return subject(e.path, system); }
    std::string operator()(const chart::Cancel& e) const { return subject(e.path, system); }
    std::string operator()(const chart::Suspend& e) const { return subject(e.path, system); }
  };
  return std::visit(Name{system}, effect);
}

Json to_json(const Macrostep& step, const model::System& system) {
  Json configuration = Json::array(), active = Json::array(), transitions = Json::array(),
       effects = Json::array(), problems = Json::array();
  for (const chart::ActiveState& state : step.active) {
    active.push_back(name_of(state, system));
    if (state.atomic) configuration.push_back(active.back());
  }
  for (const auto& taken : step.transitions) transitions.push_back(describe(taken, system));
  for (const auto& effect : step.effects) effects.push_back(describe(effect, system));
  for (const auto& problem : step.problems) {
    problems.push_back(
        {{"path", problem.path}, {"event", problem.event}, {"message", problem.message}});
  }
  Json json = {{"input", step.input},
               {"event", nullptr},
               {"handled", step.handled},
               {"configuration", std::move(configuration)},
               {"active", std::move(active)},
               {"transitions", std::move(transitions)},
               {"effects", std::move(effects)},
               {"context", step.context},
               {"done", step.finish.has_value()},
               {"outcome", nullptr},
               {"status", nullptr}};
  if (step.event) json["event"] = *step.event;
  if (step.finish) {
    json["outcome"] = step.finish->outcome;
    json["status"] = model::to_text(step.finish->status);
  }
  if (!step.machines.empty()) json["machines"] = step.machines;
  if (!problems.empty()) json["problems"] = std::move(problems);
  return json;
}

std::string on_one_line(std::string_view text) {
  std::string result;
  for (const std::string_view line : split_lines(trim(text))) {
    if (!result.empty()) result += ' ';
    result += trim(line);
  }
  return result;
}

}  // namespace agneto::play
