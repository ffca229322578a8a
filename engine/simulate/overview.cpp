#include "simulate/overview.h"

#include <algorithm>

#include "simulate/naming.h"

namespace agneto::simulate {

using model::Machine;
using model::State;
using model::Transition;

namespace {

Offer describe(const Machine& machine, const Transition& transition) {
  Offer offer;
  offer.events = transition.events;
  if (transition.guard != model::none)
    offer.guard = on_one_line(machine.code[transition.guard].text);
  for (const model::StateId target : transition.targets) {
    offer.targets.push_back(machine.state(target).name);
  }
  offer.line = transition.span.line();
  return offer;
}

class View {
 public:
  explicit View(const Simulator& simulator) : simulator_(simulator) {
    for (const chart::Effect* effect : simulator.running()) {
      activities_.emplace(chart::path_of(*effect), effect);
    }
  }

  // `path`: as in effects' paths; a machine's own is "." in its instance.
  Place look(const Machine& machine, const State& state, const std::string& path) const {
    Place place;
    for (const model::TransitionId t : state.on) {
      place.offers.push_back(describe(machine, machine.transitions[t]));
    }
    for (std::size_t i = 0; i < state.after.size(); ++i) {
      const Transition& first = machine.transitions[state.after[i]];
      const auto left = left_of(path + "/after:" + std::to_string(i + 1));
      if (!left) continue;
      for (const model::TransitionId t : state.after) {
        if (machine.transitions[t].timer != first.timer) continue;
        place.offers.push_back(describe(machine, machine.transitions[t]));
        place.offers.back().left = left;
      }
    }
    if (const auto at = activities_.find(path); at != activities_.end()) {
      place.activity = describe_activity(*at->second);
    }
    return place;
  }

 private:
  std::optional<Millis> left_of(const std::string& path) const {
    for (const Timer& timer : simulator_.timers()) {
      if (timer.path == path) return timer.due - simulator_.now();
    }
    return std::nullopt;
  }

  Activity describe_activity(const chart::Effect& effect) const {
    const model::System& system = simulator_.system();
    Activity activity{chart::path_of(effect), kind_of(effect), name_of(effect, system), {}};
    const auto ends_in = [&](std::initializer_list<const char*> names) {
      for (const char* name : names) activity.outcomes.push_back({name, {}});
    };
    if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
      const State& state = system.machine(call->machine).state(call->state);
      const auto& verdicts = std::get<model::AgentCall>(state.activity).verdicts;
      for (const auto& verdict : verdicts)
        activity.outcomes.push_back({verdict.name, verdict.fields});
      if (verdicts.empty()) ends_in({"done"});
    } else if (const auto* ask = std::get_if<chart::AskHuman>(&effect)) {
      for (const auto& option : ask->options) activity.outcomes.push_back({option.name, {}});
      if (ask->options.empty()) ends_in({"answered"});
    } else if (const auto* git = std::get_if<chart::GitOperation>(&effect)) {
      ends_in({"ok", "failed"});
      if (git->kind == model::WorkspaceOperation::Kind::merge) ends_in({"conflict"});
    } else if (const auto* delegate = std::get_if<chart::RunMachine>(&effect)) {
      if (delegate->inputs.is_array()) {
        ends_in({"done", "failed"});
      } else {
        add_outcomes(system.machine(delegate->machine), activity.outcomes);
      }
    } else if (std::holds_alternative<chart::JoinWorkspaces>(effect)) {
      ends_in({"ok"});
    } else {
      ends_in({"ok", "failed"});
    }
    return activity;
  }

  static void add_outcomes(const Machine& machine, std::vector<Outcome>& outcomes) {
    for (const model::StateId id : machine.state(0).children) {
      const State& state = machine.state(id);
      const auto same = [&](const Outcome& other) { return other.name == state.outcome; };
      if (state.kind != model::StateKind::final) continue;
      if (std::none_of(outcomes.begin(), outcomes.end(), same))
        outcomes.push_back({state.outcome, {}});
    }
  }

  const Simulator& simulator_;
  std::map<std::string, const chart::Effect*> activities_;
};

}  // namespace

Overview overview(const Simulator& simulator) {
  Overview all;
  if (simulator.finish()) return all;
  const model::System& system = simulator.system();
  const View view(simulator);

  const auto add_machine = [&](model::MachineId id, const std::string& instance) {
    const Machine& machine = system.machine(id);
    all.places.push_back(
        view.look(machine, machine.state(0), instance.empty() ? "." : instance + "/."));
    all.places.back().name = instance.empty() ? machine.name : instance;
  };
  add_machine(0, "");
  std::vector<std::string> seen = {""};
  for (const chart::ActiveState& active : simulator.instance().configuration()) {
    if (std::find(seen.begin(), seen.end(), active.instance) == seen.end()) {
      seen.push_back(active.instance);
      add_machine(active.machine, active.instance);
    }
    const Machine& machine = system.machine(active.machine);
    Place place = view.look(machine, machine.state(active.state), active.path);
    place.name = name_of(active, system);
    place.atomic = active.atomic;
    all.places.push_back(std::move(place));
  }
  for (const Timer& timer : simulator.timers()) {
    if (timer.path.find("/after:") == std::string::npos) {
      all.sends.push_back({timer.path, timer.due - simulator.now()});
    }
  }
  return all;
}

}  // namespace agneto::simulate
