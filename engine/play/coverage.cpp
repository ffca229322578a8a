#include "play/coverage.h"

#include <fmt/format.h>

#include <algorithm>

namespace agneto::play {

using model::Machine;
using model::State;
using model::StateId;
using model::Transition;
using Share = MachineCoverage::Share;

namespace {

bool counts(const State& state) {
  return state.id != 0 && state.kind != model::StateKind::shallow_history &&
         state.kind != model::StateKind::deep_history;
}

std::string trigger_of(const Machine& machine, const Transition& transition) {
  if (transition.timer == model::none) {
    return transition.events.empty() ? "always" : join(transition.events, ", ");
  }
  return "after " + (transition.delay_code == model::none
                         ? format_duration(transition.delay)
                         : on_one_line(machine.code[transition.delay_code].text));
}

std::vector<std::string> targets_of(const Machine& machine, const Transition& transition) {
  std::vector<std::string> names;
  for (const StateId target : transition.targets) names.push_back(machine.state(target).name);
  return names;
}

// "A, go [ctx.n < 3] -> B"
std::string words_of(const Machine& machine, const Transition& transition) {
  std::string words =
      machine.state(transition.source).name + ", " + trigger_of(machine, transition);
  if (transition.guard != model::none) {
    words += " [" + on_one_line(machine.code[transition.guard].text) + "]";
  }
  const auto targets = targets_of(machine, transition);
  return words + " -> " + (targets.empty() ? "(stays)" : join(targets, ", "));
}

// The file is the machine's own where none is said.
Json place_of(const Machine& machine, const Span& span) {
  Json place = {{"line", span.line()}};
  const std::string& file = span.source->path();
  if (file != machine.sources.front()->path()) place["file"] = file;
  return place;
}

// What of a coverage is the machine's, and no test's.
Json identity_of(const Machine& machine, const Transition& transition) {
  Json identity = place_of(machine, transition.span);
  identity["from"] = machine.state(transition.source).name;
  identity["to"] = targets_of(machine, transition);
  identity["trigger"] = trigger_of(machine, transition);
  if (transition.guard != model::none) {
    identity["guard"]["text"] = on_one_line(machine.code[transition.guard].text);
  }
  return identity;
}

}  // namespace

Share MachineCoverage::of_states() const {
  Share share;
  for (const State& state : machine->states) {
    if (!counts(state)) continue;
    ++share.total;
    if (states[state.id] > 0) ++share.covered;
  }
  return share;
}

Share MachineCoverage::of_transitions() const {
  return {static_cast<int>(
              std::count_if(transitions.begin(), transitions.end(), [](int n) { return n > 0; })),
          static_cast<int>(transitions.size())};
}

Share MachineCoverage::of_guards() const {
  Share share;
  for (model::TransitionId id = 0; id < machine->transitions.size(); ++id) {
    if (machine->transitions[id].guard == model::none) continue;
    share.total += 2;
    share.covered += (guards[id].first > 0 ? 1 : 0) + (guards[id].second > 0 ? 1 : 0);
  }
  return share;
}

Share MachineCoverage::of_verdicts() const {
  return {static_cast<int>(std::count_if(verdicts.begin(), verdicts.end(),
                                         [](const auto& each) { return each.second > 0; })),
          static_cast<int>(verdicts.size())};
}

void Coverage::add(const std::shared_ptr<const model::System>& system) {
  for (const Machine& machine : system->machines) {
    const auto [it, added] = machines_.try_emplace(machine.file.string());
    if (!added) continue;
    MachineCoverage& coverage = it->second;
    coverage.system = system;
    coverage.machine = &machine;
    coverage.states.resize(machine.states.size());
    coverage.transitions.resize(machine.transitions.size());
    coverage.guards.resize(machine.transitions.size());
    for (const State& state : machine.states) {
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (!call) continue;
      for (const auto& verdict : call->verdicts) coverage.verdicts[{state.id, verdict.name}] = 0;
    }
  }
}

void Coverage::note(const Macrostep& step, const model::System& system) {
  for (const auto& taken : step.transitions) {
    ++of(system.machine(taken.machine)).transitions[taken.transition];
  }
  for (const auto& moved : step.moved) {
    if (moved.entered) ++of(system.machine(moved.machine)).states[moved.state];
  }
}

void Coverage::verdict(const Machine& machine, StateId state, const std::string& name) {
  auto& verdicts = of(machine).verdicts;
  if (const auto it = verdicts.find({state, name}); it != verdicts.end()) ++it->second;
}

void Coverage::guard(const Machine& machine, model::CodeId code, bool result) {
  for (model::TransitionId id = 0; id < machine.transitions.size(); ++id) {
    if (machine.transitions[id].guard != code) continue;
    auto& [no, yes] = of(machine).guards[id];
    ++(result ? yes : no);
  }
}

std::unique_ptr<chart::Data> WatchedEvaluator::create(model::MachineId machine, const Json& inputs,
                                                      chart::Scope& scope,
                                                      std::optional<chart::Fault>& fault) {
  auto data = evaluator_.create(machine, inputs, scope, fault);
  machines_[data.get()] = machine;
  return data;
}

std::unique_ptr<chart::Data> WatchedEvaluator::restore(model::MachineId machine,
                                                       const Json& saved) {
  auto data = evaluator_.restore(machine, saved);
  machines_[data.get()] = machine;
  return data;
}

bool WatchedEvaluator::test(chart::Data& data, model::CodeId code, chart::Scope& scope,
                            std::optional<chart::Fault>& fault) {
  const bool result = evaluator_.test(data, code, scope, fault);
  coverage_.guard(system_.machine(machines_.at(&data)), code, result);
  return result;
}

std::vector<std::string> missing(const MachineCoverage& coverage) {
  const Machine& machine = *coverage.machine;
  std::vector<std::pair<Span, std::string>> found;
  for (const State& state : machine.states) {
    if (counts(state) && coverage.states[state.id] == 0) {
      found.emplace_back(state.span, "never entered: " + state.name);
    }
  }
  for (const auto& [key, given] : coverage.verdicts) {
    const State& state = machine.state(key.first);
    if (given == 0) {
      found.emplace_back(state.span, "never given: " + state.name + ", " + key.second);
    }
  }
  for (model::TransitionId id = 0; id < machine.transitions.size(); ++id) {
    const Transition& transition = machine.transitions[id];
    const Span place = transition.span;
    const std::string words = words_of(machine, transition);
    if (coverage.transitions[id] == 0) found.emplace_back(place, "never taken: " + words);
    if (transition.guard == model::none) continue;
    const auto [no, yes] = coverage.guards[id];
    if (no == 0 && yes == 0) {
      found.emplace_back(place, "guard never looked at: " + words);
    } else if (no == 0 || yes == 0) {
      found.emplace_back(place, (no == 0 ? "guard never false: " : "guard never true: ") + words);
    }
  }
  const auto order = [&](const std::pair<Span, std::string>& one) {
    const auto file = std::ranges::find(machine.sources, one.first.source, &SourcePtr::get);
    return std::pair(file, one.first.line());
  };
  std::ranges::stable_sort(found, {}, order);
  std::vector<std::string> lines;
  for (const auto& [place, what] : found) {
    lines.push_back(fmt::format("{}:{}: {}", place.source->path(), place.line(), what));
  }
  return lines;
}

bool is_of(const Json& part, const Machine& machine) {
  const Json& transitions = part.at("transitions");
  if (transitions.size() != machine.transitions.size()) return false;
  for (model::TransitionId id = 0; id < machine.transitions.size(); ++id) {
    Json found = transitions[id];
    found.erase("taken");
    if (found.contains("guard")) found["guard"] = {{"text", found.at("guard").at("text")}};
    if (found != identity_of(machine, machine.transitions[id])) return false;
  }
  return true;
}

Json to_json(const Coverage& coverage) {
  const auto share = [](const Share& each) {
    return Json{{"covered", each.covered}, {"total", each.total}, {"percent", each.percent()}};
  };
  Json machines = Json::array();
  for (const auto& [file, of] : coverage.machines()) {
    const Machine& machine = *of.machine;
    Json states = Json::array(), transitions = Json::array(), verdicts = Json::array();
    for (const State& state : machine.states) {
      if (!counts(state)) continue;
      Json json = place_of(machine, state.span);
      json["state"] = state.name;
      json["entered"] = of.states[state.id];
      states.push_back(std::move(json));
    }
    for (model::TransitionId id = 0; id < machine.transitions.size(); ++id) {
      const Transition& transition = machine.transitions[id];
      Json json = identity_of(machine, transition);
      json["taken"] = of.transitions[id];
      if (transition.guard != model::none) {
        json["guard"]["false"] = of.guards[id].first;
        json["guard"]["true"] = of.guards[id].second;
      }
      transitions.push_back(std::move(json));
    }
    for (const auto& [key, given] : of.verdicts) {
      verdicts.push_back(
          {{"state", machine.state(key.first).name}, {"verdict", key.second}, {"given", given}});
    }
    machines.push_back({{"file", file},
                        {"machine", machine.name},
                        {"summary",
                         {{"states", share(of.of_states())},
                          {"transitions", share(of.of_transitions())},
                          {"guards", share(of.of_guards())},
                          {"verdicts", share(of.of_verdicts())}}},
                        {"states", std::move(states)},
                        {"transitions", std::move(transitions)},
                        {"verdicts", std::move(verdicts)}});
  }
  return {{"agneto-coverage", 1}, {"machines", std::move(machines)}};
}

}  // namespace agneto::play
