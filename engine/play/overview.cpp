#include "play/overview.h"

#include <algorithm>

#include "chart/path.h"
#include "play/activity_end.h"

namespace agneto::play {

using model::Machine;
using model::State;
using model::Transition;

namespace {

Offer describe(const Machine& machine, const Transition& transition) {
  Offer offer;
  offer.events = transition.events;
  if (transition.guard != model::none) {
    offer.guard = on_one_line(machine.code[transition.guard].text);
  }
  for (const model::StateId target : transition.targets) {
    offer.targets.push_back(machine.state(target).name);
  }
  offer.line = transition.span.line();
  return offer;
}

class View {
 public:
  explicit View(const Simulator& simulator) : simulator_(simulator) {
    for (const chart::Effect* effect : simulator.machine().running()) {
      activities_.emplace(chart::path_of(*effect), effect);
    }
  }

  // `path`: as in effects' paths; a machine's own is "." in its instance.
  StateView look(const Machine& machine, const State& state, const std::string& path) const {
    StateView place;
    for (const model::TransitionId t : state.on) {
      place.offers.push_back(describe(machine, machine.transitions[t]));
    }
    for (std::size_t i = 0; i < state.after.size(); ++i) {
      const Transition& first = machine.transitions[state.after[i]];
      const auto left = left_of(chart::timer_path(path, static_cast<std::uint32_t>(i + 1)));
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
    for (const Timer& timer : simulator_.machine().timers()) {
      if (timer.path == path) return timer.due - simulator_.machine().now();
    }
    return std::nullopt;
  }

  Activity describe_activity(const chart::Effect& effect) const {
    const model::System& system = simulator_.machine().system();
    return {chart::path_of(effect), std::string(kind_of(effect)), name_of(effect, system),
            outcomes_of(effect, system)};
  }

  const Simulator& simulator_;
  std::map<std::string, const chart::Effect*> activities_;
};

}  // namespace

Overview overview(const Simulator& simulator) {
  Overview all;
  if (simulator.machine().finish()) return all;
  const model::System& system = simulator.machine().system();
  const View view(simulator);

  const auto add_machine = [&](model::MachineId id, const std::string& instance) {
    const Machine& machine = system.machine(id);
    all.places.push_back(view.look(machine, machine.state(0), chart::within(instance, ".")));
    all.places.back().name = instance.empty() ? machine.name : instance;
  };
  add_machine(0, "");
  std::vector<std::string> seen = {""};
  for (const chart::ActiveState& active : simulator.machine().instance().configuration()) {
    if (std::find(seen.begin(), seen.end(), active.instance) == seen.end()) {
      seen.push_back(active.instance);
      add_machine(active.machine, active.instance);
    }
    const Machine& machine = system.machine(active.machine);
    StateView place = view.look(machine, machine.state(active.state), active.path);
    place.name = name_of(active, system);
    place.atomic = active.atomic;
    all.places.push_back(std::move(place));
  }
  for (const Timer& timer : simulator.machine().timers()) {
    if (chart::Path::parse(timer.path)->send) {
      all.sends.push_back({timer.path, timer.due - simulator.machine().now()});
    }
  }
  return all;
}

}  // namespace agneto::play
