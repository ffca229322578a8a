#include "chart/tables.h"

#include <algorithm>
#include <map>

namespace agneto::chart {

using model::Machine;
using model::StateId;
using model::StateKind;
using model::TransitionId;

namespace {

// Longer lists are worked out when they are needed: many large ones could be anything but linear in
// the size of the machine.
constexpr std::size_t most_entering = 64;

std::vector<std::string> descriptors_of(const Machine& machine) {
  std::vector<std::string> all;
  for (const auto& transition : machine.transitions) {
    all.insert(all.end(), transition.events.begin(), transition.events.end());
  }
  all.emplace_back("done.state");
  all.emplace_back(model::undelivered);
  return all;
}

// The states that entering `targets` below `domain` enters. Empty where that depends on history, or
// where there are more than `most_entering`.
std::vector<Entering> closure(const Machine& machine, const std::vector<StateId>& targets,
                              StateId domain) {
  std::map<StateId, bool> set;  // state -> by default; ordered, as the document is
  bool fixed = true;
  const auto add = [&](StateId target, StateId below) {
    fixed = fixed && !is_history(machine.state(target));
    for (StateId s = target; fixed && s != below; s = machine.state(s).parent) {
      if (!set.emplace(s, false).second) break;
      fixed = set.size() <= most_entering;
    }
  };
  for (StateId target : targets) add(target, domain);
  // What is added stands behind its parent, so the loop meets it.
  for (auto at = set.begin(); fixed && at != set.end(); ++at) {
    const model::State& state = machine.state(at->first);
    if (state.kind == StateKind::compound) {
      const auto next = std::next(at);
      if (next != set.end() && next->first <= state.last) continue;
      at->second = true;
      for (StateId target : state.start.targets) add(target, state.id);
    } else if (state.kind == StateKind::parallel) {
      for (StateId child : state.children) {
        if (fixed && !is_history(machine.state(child))) add(child, state.id);
      }
    }
  }
  std::vector<Entering> list;
  if (fixed) {
    for (const auto& [state, by_default] : set) list.push_back({state, by_default});
  }
  return list;
}

}  // namespace

bool is_history(const model::State& state) {
  return state.kind == StateKind::shallow_history || state.kind == StateKind::deep_history;
}

StateId domain_of(const MachineTable& table, const model::Transition& transition,
                  const std::vector<StateId>& targets) {
  const Machine& machine = table.machine;
  const auto holds_targets = [&](StateId ancestor) {
    return std::ranges::all_of(targets,
                               [&](StateId t) { return machine.is_descendant(t, ancestor); });
  };
  const StateId source = transition.source;
  if (transition.internal && machine.state(source).kind == StateKind::compound &&
      holds_targets(source)) {
    return source;
  }
  StateId domain = table.state(source).scope;
  while (domain != 0 && !holds_targets(domain)) domain = table.state(domain).scope;
  return domain;
}

MachineTable::MachineTable(const Machine& m) : machine(m), events(descriptors_of(m)) {
  list_states();
  for (const model::State& state : m.states) list_handlers(state);
  list_transitions();
  find_plain();
  announce_done();
}

void MachineTable::list_states() {
  states_.resize(machine.states.size());
  for (const model::State& state : machine.states) {
    State& entry = states_[state.id];
    entry.parent = state.parent;
    entry.last = state.last;
    entry.leaf = state.kind == StateKind::atomic || state.kind == StateKind::final;
    entry.has_timers = !state.after.empty();
    entry.has_entry = !state.entry.empty();
    entry.has_exit = !state.exit.empty();
    entry.final = state.kind == StateKind::final;
    entry.starts = entry.has_timers || state.has_activity();
    entry.plain = !entry.has_entry && !entry.has_exit && !entry.starts && !entry.final;
    has_starting = has_starting || entry.starts;
    entry.delegates = model::delegate_of(state.activity) != nullptr;
    entry.eventless = !state.always.empty();
    has_eventless = has_eventless || entry.eventless;
    has_parallel = has_parallel || state.kind == StateKind::parallel;
    if (is_history(state)) histories.push_back(state.id);
    if (state.id == 0) continue;
    const State& parent = states_[state.parent];
    entry.eventless = entry.eventless || parent.eventless;
    const bool compound = machine.state(state.parent).kind == StateKind::compound;
    entry.scope = compound ? state.parent : parent.scope;
  }
}

void MachineTable::announce_done() {
  const bool any =
      std::ranges::any_of(handlers_, [](const Handler& h) { return h.event == any_event; });
  for (const model::State& state : machine.states) {
    if (state.kind != StateKind::compound && state.kind != StateKind::parallel) continue;
    State& entry = states_[state.id];
    entry.done = events.of("done.state." + state.name);
    entry.announces = any || entry.done != any_event;
  }
}

// For each descriptor among the state's transitions: those that take what it is the longest for,
// which are its own and those of the wider ones.
void MachineTable::list_handlers(const model::State& state) {
  std::map<EventClass, std::vector<TransitionId>> taking;  // a wider one has the lower number
  for (const TransitionId t : state.on) {
    for (const std::string& descriptor : machine.transitions[t].events) {
      auto& own = taking[events.of(descriptor)];
      if (own.empty() || own.back() != t) own.push_back(t);
    }
  }
  // As model::takes has it.
  const EventClass done = events.of("done");
  const EventClass done_state = events.of("done.state");
  const bool ends_in_done = state.has_activity() && done != any_event && taking.contains(done);
  if (ends_in_done) taking[done_state];
  const EventClass error = events.of("error");
  const EventClass undelivered = events.of(model::undelivered);
  const bool takes_errors = error != any_event && taking.contains(error);
  if (takes_errors) taking[undelivered];

  states_[state.id].first_handler = static_cast<std::uint32_t>(handlers_.size());
  states_[state.id].handlers = static_cast<std::uint32_t>(taking.size());
  for (auto& [event, own] : taking) {
    bool hides_done = false;
    for (EventClass c = event; c != any_event;) {
      hides_done = hides_done || (ends_in_done && c == done_state);
      c = events.wider(c);
      if (hides_done && c == done) continue;
      if (takes_errors && event == undelivered && c == error) continue;
      const auto wider = taking.find(c);
      if (wider == taking.end()) continue;
      std::vector<TransitionId> both;
      std::set_union(own.begin(), own.end(), wider->second.begin(), wider->second.end(),
                     std::back_inserter(both));
      own = std::move(both);
      break;
    }
    handlers_.push_back({event, static_cast<std::uint32_t>(candidates_.size()),
                         static_cast<std::uint32_t>(own.size())});
    candidates_.insert(candidates_.end(), own.begin(), own.end());
  }
}

void MachineTable::list_transitions() {
  transitions_.resize(machine.transitions.size());
  for (TransitionId id = 0; id < transitions_.size(); ++id) {
    transitions_[id].guard = machine.transitions[id].guard;
    transitions_[id].acts = !machine.transitions[id].actions.empty();
    list_entering(id);
  }
  for (const model::State& state : machine.states) {
    for (const TransitionId t : state.always) transitions_[t].eventless = true;
  }
}

void MachineTable::list_entering(TransitionId id) {
  const model::Transition& transition = machine.transitions[id];
  Transition& entry = transitions_[id];
  entry.fixed = transition.targets.empty();
  const bool history = std::ranges::any_of(
      transition.targets, [&](StateId target) { return is_history(machine.state(target)); });
  if (entry.fixed || history) return;
  entry.domain = domain_of(*this, transition, transition.targets);
  const auto list = closure(machine, transition.targets, entry.domain);
  entry.fixed = !list.empty();
  entry.first_entering = static_cast<std::uint32_t>(entering_.size());
  entry.entering = static_cast<std::uint32_t>(list.size());
  entering_.insert(entering_.end(), list.begin(), list.end());
}

void MachineTable::find_plain() {
  if (has_eventless || !histories.empty()) return;
  std::vector<std::uint32_t> others = {0};  // by state: how many before it are not plain
  for (const State& state : states_) others.push_back(others.back() + !state.plain);
  for (Transition& t : transitions_) {
    if (t.domain == model::none || !t.fixed || t.acts) continue;
    const auto enters_plainly = [&](const Entering& e) {
      return !e.by_default || machine.state(e.state).start.actions.empty();
    };
    const std::span<const Entering> list = entering(t);
    t.plain = others[states_[t.domain].last + 1] == others[t.domain + 1] &&
              std::ranges::all_of(list, enters_plainly);
  }
}

}  // namespace agneto::chart
