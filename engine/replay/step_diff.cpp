#include "replay/step_diff.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "chart/path.h"
#include "model/machine.h"
#include "script/hooks.h"

namespace agneto::replay {
namespace {

// "name: value", or the value's lines below its name.
std::string field(const std::string& indent, const std::string& name, const Json& value) {
  if (!value.is_string()) return fmt::format("{}{}: {}\n", indent, name, to_text(value));
  const auto& text = value.get_ref<const std::string&>();
  if (text.find('\n') == std::string::npos) return fmt::format("{}{}: {}\n", indent, name, text);
  std::string lines = fmt::format("{}{}:\n", indent, name);
  for (const auto line : split_lines(text)) lines += fmt::format("{}  {}\n", indent, line);
  return lines;
}

std::string transition_text(const record::Transition& taken) {
  return fmt::format("transition {} → {}{}\n", chart::within(taken.instance, taken.from),
                     taken.to.empty() ? "(stays)" : join(taken.to, ", "),
                     taken.event.empty() ? "" : " on " + taken.event);
}

// An agent's call is known by its state; whose it is, and how it may end, is the machine's to say.
void add_agent(Json& effect, const chart::NamedCall& named, const model::System& system) {
  for (const auto& machine : system.machines) {
    if (machine.name != named.machine) continue;
    const auto state = machine.find(named.state);
    if (state == model::none) continue;
    const auto* call = std::get_if<model::AgentCall>(&machine.state(state).activity);
    if (!call) continue;
    effect["agent"] = machine.agents[call->agent].name;
    effect["task"] = call->task;
    effect["access"] = model::to_text(call->access);
    for (const auto& verdict : call->verdicts) {
      std::vector<std::string> fields;
      for (const auto& each : verdict.fields) {
        fields.push_back(each.name + ": " + model::to_text(each.type));
      }
      effect["verdict " + verdict.name] = "{" + join(fields, ", ") + "}";
    }
  }
}

std::string effect_text(const chart::NamedEffect& named, const model::System& system) {
  Json effect = to_fields(named);
  std::string lines = effect.at("effect").get<std::string>();
  if (const auto* call = std::get_if<chart::NamedCall>(&named)) add_agent(effect, *call, system);
  if (const std::string& path = chart::path_of(named); !path.empty()) lines += " " + path;
  lines += "\n";
  // The path says which entry it is, and where.
  for (const char* known : {"effect", "path", "instance", "entry", "machine", "state"}) {
    effect.erase(known);
  }
  for (const Json& option : effect.value("options", Json::array())) {
    effect["option " + option.at("name").get<std::string>()] = option;
  }
  effect.erase("options");
  for (const auto& [name, value] : effect.items()) {
    if (value != "") lines += field("  ", name, value);
  }
  return lines;
}

// The instances, the root's path being empty.
std::set<std::string> instances_of(const chart::Instance& instance) {
  std::set<std::string> paths{""};
  for (const auto& state : instance.configuration()) paths.insert(state.instance);
  return paths;
}

}  // namespace

std::string told_step(const record::Macrostep& step, const model::System& system) {
  std::string lines;
  if (step.event && !step.handled) lines += "nothing takes it\n";
  for (const auto& taken : step.transitions) lines += transition_text(taken);
  for (const auto& effect : step.effects) lines += effect_text(effect, system);
  for (const auto& problem : step.problems) {
    lines += fmt::format("problem {}: {}\n", problem.event, problem.message);
  }
  return lines;
}

std::string place_text(const chart::Instance& instance, const chart::Instance* other) {
  std::string lines;
  for (const auto& state : instance.configuration()) {
    if (state.atomic) lines += "in " + state.path + "\n";
  }
  if (!other) return lines;
  for (const auto& path : instances_of(instance)) {
    const Json mine = instance.data(path), theirs = other->data(path);
    if (mine.is_null() || mine == theirs) continue;
    const Json ctx = theirs.is_null() ? Json::object() : theirs.at("ctx");
    for (const auto& [name, value] : mine.at("ctx").items()) {
      if (ctx.contains(name) && ctx.at(name) == value) continue;
      lines += field("", "context " + (path.empty() ? "" : path + " ") + name, value);
    }
  }
  return lines;
}

std::string end_text(const chart::Instance& instance, const std::optional<chart::Finish>& finish) {
  if (finish) return fmt::format("{} ({})", finish->outcome, model::to_text(finish->status));
  return "in " + join(instance.active(), ", ");
}

}  // namespace agneto::replay
