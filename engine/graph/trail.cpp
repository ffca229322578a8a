#include "graph/trail.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "chart/path.h"
#include "play/coverage.h"

namespace agneto::graph {
namespace {

using model::Machine;
using model::Transition;

// Where a machine instance stands in the picture that is drawn.
struct DrawnInstance {
  const Machine* machine = nullptr;  // null: there is no such state, or it is outside
  std::string states;                // that delegate down to it, from the drawn one
};

DrawnInstance drawn_instance(const std::string& instance, const model::System& system,
                             model::MachineId drawn) {
  const auto path = chart::Path::parse(instance).value_or(chart::Path());
  const auto found = chart::states_of(system, path);
  const Machine* machine = &system.main();
  bool inside = machine->id == drawn;
  std::string states;
  for (std::size_t i = 0; i < path.parts.size(); ++i) {
    const auto* delegate =
        i < found.size() ? model::delegate_of(machine->state(found[i].state).activity) : nullptr;
    if (!delegate) return {};
    machine = &system.machine(delegate->machine);
    if (inside) {
      states = chart::within(states, path.parts[i].name);
    } else {
      inside = machine->id == drawn;
    }
  }
  return {inside ? machine : nullptr, states};
}

bool is_taken_for(const Machine& machine, const Transition& transition, const std::string& event) {
  if (transition.timer != model::none) return event == "after";
  if (event.empty() || transition.events.empty()) return event.empty() && transition.events.empty();
  return std::ranges::any_of(transition.events, [&](const auto& each) {
    return model::takes(machine.state(transition.source), each, event);
  });
}

model::TransitionId find(const model::System& system, const Machine& machine,
                         const record::Transition& taken) {
  for (model::TransitionId id = 0; id < machine.transitions.size(); ++id) {
    const auto named = record::transition_of({taken.instance, machine.id, id, taken.event}, system);
    if (named.line == taken.line && named.from == taken.from && named.to == taken.to &&
        is_taken_for(machine, machine.transitions[id], taken.event)) {
      return id;
    }
  }
  return model::none;
}

// `path`: of the instance.
void list_active(const Json& instance, const std::string& path, const model::System& system,
                 model::MachineId drawn, std::set<std::string>& ids) {
  if (!instance.is_object()) return;
  const DrawnInstance place = drawn_instance(path, system, drawn);
  for (const Json& state : member(instance, "active")) {
    if (place.machine) ids.insert(chart::within(place.states, state.get<std::string>()));
  }
  for (const auto& [owner, child] : member(instance, "children").items()) {
    list_active(child, chart::within(path, owner), system, drawn, ids);
  }
}

// The machine's part of a coverage; null: there is none.
const Json* part_of(const Json& coverage, const Machine& machine) {
  for (const Json& each : coverage.at("machines")) {
    const fs::path file = each.at("file").get<std::string>();
    if (each.at("machine") == machine.name && file.filename() == machine.file.filename()) {
      return &each;
    }
  }
  return nullptr;
}

}  // namespace

Json recorded_instance(const Json& state) {
  return member(member(state, "instance"), "root");
}

Trail trail_of(const std::vector<record::Entry>& entries, const Json& instance,
               const model::System& system, model::MachineId machine) {
  Trail trail;
  trail.active = active_in(instance, system, machine);
  count(entries, system, machine, trail);
  return trail;
}

std::set<std::string> active_in(const Json& instance, const model::System& system,
                                model::MachineId machine) {
  std::set<std::string> ids;
  list_active(instance, "", system, machine, ids);
  return ids;
}

void count(const std::vector<record::Entry>& entries, const model::System& system,
           model::MachineId machine, Trail& trail) {
  trail.kind = Trail::Kind::path;
  for (const auto& entry : entries) {
    const auto* step = entry.get<record::Macrostep>();
    if (!step || !entry.stands) continue;
    for (const auto& taken : step->transitions) {
      const DrawnInstance place = drawn_instance(taken.instance, system, machine);
      if (!place.machine) continue;
      const model::TransitionId id = find(system, *place.machine, taken);
      if (id == model::none) continue;
      const Trail::Key key{place.states, place.machine->id, id};
      ++trail.taken[key];
      trail.last[key] = entry.time;
    }
  }
}

Trail trail_of(const std::string& coverage, const std::string& file, const model::System& system,
               model::MachineId machine) {
  const std::string again = "write it anew: agneto test --coverage-file " + file;
  Trail trail;
  trail.kind = Trail::Kind::coverage;
  try {
    const Json json = Json::parse(coverage);
    if (json.at("agneto-coverage") != 1) throw Error(file + " is of another version", again);
    if (!part_of(json, system.machine(machine))) {
      throw Error(file + " has nothing about machine '" + system.machine(machine).name + "'",
                  again);
    }
    for (const Machine& each : system.machines) {
      const Json* part = part_of(json, each);
      if (!part) continue;
      if (!play::is_of(*part, each)) {
        throw Error(file + " is of another version of " + each.file.string(), again);
      }
      for (model::TransitionId id = 0; id < each.transitions.size(); ++id) {
        const Json& transition = part->at("transitions")[id];
        trail.taken[{"", each.id, id}] = transition.at("taken");
        if (!transition.contains("guard")) continue;
        const bool no = transition.at("guard").at("false") > 0;
        const bool yes = transition.at("guard").at("true") > 0;
        if (yes && !no) trail.remarks[{"", each.id, id}] = "(never false)";
      }
    }
  } catch (const Json::exception&) {
    throw Error(file + " is no coverage", again);
  }
  return trail;
}

}  // namespace agneto::graph
