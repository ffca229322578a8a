#include "play/macrostep.h"

#include "chart/effect.h"
#include "chart/path.h"

namespace agneto::play {

namespace {

// "SUB#1/A#2/after:1" -> "A"; a machine's own timer "SUB#1/./after:1" -> "SUB".
std::string subject(std::string_view text, const model::System& system) {
  const auto path = chart::Path::parse(text).value_or(chart::Path());
  if (path.send) return *path.send;
  return path.parts.empty() ? system.main().name : path.name();
}

// As the workflow has it.
std::string session_of(const model::Agent& agent, const model::Machine& machine) {
  switch (agent.session) {
    case model::SessionScope::machine:
      return "machine";
    case model::SessionScope::run:
      return "run";
    case model::SessionScope::state:
      return machine.state(agent.session_state).name;
    case model::SessionScope::fresh:
      break;
  }
  return "fresh";
}

Json describe(const chart::Effect& effect, const model::System& system,
              const SettingsOf& settings_of) {
  Json json = chart::to_json(effect, system);
  json["kind"] = json["effect"];
  json["name"] = name_of(effect, system);
  if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
    const auto& activity = chart::activity_of(*call, system);
    const auto& agent = chart::agent_of(*call, system);
    json["access"] = model::to_text(activity.access);
    json["task"] = activity.task;
    json["session"] = session_of(agent, system.machine(call->machine));
    json["timeout"] = agent.timeout.count();
    json["idle"] = agent.idle.count();
    json["tries"] =
        model::usual_of_agent.with(agent.settings.retry).with(activity.settings.retry).tries;
    if (settings_of) json.update(settings_of(system.machine(call->machine), call->state));
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

std::string name_of(const chart::Effect& effect, const model::System& system) {
  if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
    return chart::agent_of(*call, system).name;
  }
  if (const auto* to = std::get_if<chart::RunMachine>(&effect)) {
    return system.machine(to->machine).name;
  }
  if (const auto* finish = std::get_if<chart::Finish>(&effect)) return finish->outcome;
  if (std::holds_alternative<chart::GitOperation>(effect)) {
    return chart::to_json(effect, system).at("operation");
  }
  return subject(chart::path_of(effect), system);
}

Json to_json(const Macrostep& step, const model::System& system, const SettingsOf& settings_of) {
  Json configuration = Json::array(), active = Json::array(), transitions = Json::array(),
       effects = Json::array(), problems = Json::array();
  for (const chart::ActiveState& state : step.active) {
    active.push_back(name_of(state, system));
    if (state.atomic) configuration.push_back(active.back());
  }
  for (const auto& taken : step.transitions) transitions.push_back(describe(taken, system));
  for (const auto& effect : step.effects) {
    effects.push_back(describe(effect, system, settings_of));
  }
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
  if (!step.origin.empty()) json["origin"] = step.origin;
  if (step.item > 0) json["item"] = step.item;
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
