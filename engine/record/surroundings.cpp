#include "record/surroundings.h"

#include <algorithm>
#include <span>

#include "chart/path.h"
#include "lua/tree.h"
#include "model/outcomes.h"
#include "record/json_fields.h"

namespace agneto::record {
namespace {

using chart::Located;
using model::Machine;
using model::StateId;

// Where the question is in the machine instance that has the timer: the state that asks, or that
// delegates to where it is asked. Nothing where it is in another instance.
std::optional<Located> place_beside(const chart::Path& timer, const chart::Path& question,
                                    const std::vector<Located>& places) {
  if (timer.timer == 0) return std::nullopt;
  const std::size_t outer = timer.parts.size() - (timer.of_machine ? 0 : 1);
  if (places.size() <= outer ||
      !std::equal(timer.parts.begin(), timer.parts.begin() + static_cast<std::ptrdiff_t>(outer),
                  question.parts.begin())) {
    return std::nullopt;
  }
  return places[outer];
}

// What comes of the timer, as its alternatives have it. Any that leads to a state leaves the one
// whose timer it is, and with it the question.
Deadline deadline_of(const Machine& machine, const model::State& owner, std::uint32_t number) {
  Deadline deadline;
  bool leaves = false, stays = false;  // in the end; by one of them
  const model::TransitionId first = owner.after[number - 1];
  for (const model::TransitionId t : owner.after) {
    const model::Transition& transition = machine.transitions[t];
    if (transition.timer != first) continue;
    for (const StateId target : transition.targets) {
      const std::string& name = machine.state(target).name;
      if (std::ranges::find(deadline.to, name) == deadline.to.end()) deadline.to.push_back(name);
    }
    stays = stays || transition.targets.empty();
    leaves = transition.guard == model::none;
    if (leaves) break;
  }
  deadline.guarded = stays || !leaves;
  return deadline;
}

std::vector<Deadline> deadlines_of(const chart::Path& question, const std::vector<Located>& places,
                                   const Moment& moment) {
  std::vector<Deadline> all;
  for (const auto& [id, timer] : moment.timers) {
    const auto path = chart::Path::parse(id);
    const auto place = path ? place_beside(*path, question, places) : std::nullopt;
    if (!place) continue;
    const Machine& machine = moment.system.machine(place->machine);
    const StateId owner = path->of_machine ? 0 : machine.find(path->name());
    const bool around = owner == 0 || owner == place->state ||
                        (owner != model::none && machine.is_descendant(place->state, owner));
    if (!around || path->timer > machine.state(owner).after.size()) continue;
    Deadline deadline = deadline_of(machine, machine.state(owner), path->timer);
    if (deadline.to.empty()) continue;
    const bool stands_still = moment.suspended && timer.pausable;
    if (!stands_still) deadline.due = timer.due;
    deadline.left = stands_still ? timer.left : std::max(Millis(0), timer.due - moment.now);
    all.push_back(std::move(deadline));
  }
  std::ranges::stable_sort(all, {}, &Deadline::left);
  const auto last = std::ranges::find(all, false, &Deadline::guarded);
  if (last != all.end()) all.erase(last + 1, all.end());
  return all;
}

// Does the piece of Lua raise or send an event that the descriptor takes, by a name that is written
// out?
bool makes(const model::Code& code, const std::string& descriptor) {
  if (code.text.find(descriptor) == std::string::npos) return false;
  const auto tree = code.kind == model::Code::Kind::expression ? lua::parse_expression(code.text)
                                                               : lua::parse_statements(code.text);
  bool found = false;
  const auto look = [&](const lua::Node& node) {
    const std::string* name = lua::literal_text(node);
    found = found || (name && model::matches(descriptor, *name));
  };
  if (!tree) return false;
  lua::walk(*tree, [&](const lua::Node& node) {
    if (node.kind != lua::Node::Kind::call || node.children.size() < 2) return;
    const lua::Node& function = node.children[0];
    const bool sends = function.is(lua::Node::Kind::global, "raise") ||
                       function.is(lua::Node::Kind::global, "send");
    if (sends) lua::walk(node.children[1], look);
  });
  return found;
}

// May somebody send it, and does nothing in the workflow?
bool is_from_elsewhere(const std::string& event, const model::System& system) {
  return !model::is_engines(event) && !model::matches(event, "done.state") &&
         !model::is_outcome(event, system) &&
         std::ranges::none_of(system.machines, [&](const Machine& machine) {
           return std::ranges::any_of(machine.code,
                                      [&](const model::Code& code) { return makes(code, event); });
         });
}

std::vector<std::string> events_of(const std::vector<Located>& places,
                                   const model::System& system) {
  std::vector<std::string> all;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const Machine& machine = system.machine(place->machine);
    for (StateId s = place->state; s != model::none; s = machine.state(s).parent) {
      for (const model::TransitionId t : machine.state(s).on) {
        for (const auto& event : machine.transitions[t].events) {
          const bool known = std::ranges::find(all, event) != all.end();
          if (!known && is_from_elsewhere(event, system)) all.push_back(event);
        }
      }
    }
  }
  return all;
}

// Does the event, in the machine of the last of these places, end the run as aborted? It ends what
// delegates to that machine in the same way, as far as that takes its outcome so.
bool aborts(const std::string& event, std::span<const Located> places, const chart::Path& question,
            const model::System& system) {
  const Machine& machine = system.machine(places.back().machine);
  const auto ends = [&](const model::Transition& transition) {
    if (transition.targets.size() != 1) return false;
    const model::State& target = machine.state(transition.targets.front());
    if (target.kind != model::StateKind::final || target.parent != 0) return false;
    if (places.size() == 1) return target.status == model::FinalStatus::aborted;
    if (question.parts[places.size() - 2].item > 0) return false;  // the others go on
    return aborts(target.outcome, places.first(places.size() - 1), question, system);
  };
  for (StateId s = places.back().state; s != model::none; s = machine.state(s).parent) {
    for (const model::TransitionId t : machine.state(s).on) {
      const model::Transition& transition = machine.transitions[t];
      const bool takes_it = std::ranges::any_of(transition.events, [&](const auto& descriptor) {
        return model::takes(machine.state(s), descriptor, event);
      });
      if (!takes_it) continue;
      if (!ends(transition)) return false;
      if (transition.guard == model::none) return true;
    }
  }
  return false;
}

std::vector<std::string> aborting_of(const chart::Path& question,
                                     const std::vector<Located>& places,
                                     const model::System& system) {
  std::vector<std::string> all;
  const Machine& machine = system.machine(places.back().machine);
  for (StateId s = places.back().state; s != model::none; s = machine.state(s).parent) {
    for (const model::TransitionId t : machine.state(s).on) {
      for (const auto& event : machine.transitions[t].events) {
        const bool known = std::ranges::find(all, event) != all.end();
        if (!known && aborts(event, places, question, system)) all.push_back(event);
      }
    }
  }
  return all;
}

}  // namespace

Timers timers_of(const Json& state) {
  Timers timers;
  for (const auto& [path, json] : member(member(state, "run"), "timers").items()) {
    timers.emplace(path, from_fields<RecordedTimer>(json));
  }
  return timers;
}

void hold_timers(Json& state, Time now) {
  for (auto& [path, timer] : timers_of(state)) {
    if (!timer.pausable || timer.left > Millis(0)) continue;  // it stands still already
    RecordedTimer held = timer;
    held.left = std::max(Millis(0), timer.due - now);
    state.at("run").at("timers").at(path) = to_fields(held);
  }
}

Surroundings surroundings_of(const std::string& question, const Moment& moment) {
  const auto path = chart::Path::parse(question);
  if (!path) return {};
  const std::vector<Located> places = chart::states_of(moment.system, *path);
  if (places.empty() || places.size() != path->parts.size()) return {};
  return {deadlines_of(*path, places, moment), events_of(places, moment.system),
          aborting_of(*path, places, moment.system)};
}

}  // namespace agneto::record
