#include "lint/explore/shown.h"

#include <deque>

#include "lint/explore/player.h"
#include "model/outcomes.h"

namespace agneto::lint {

Untaken untaken(const LintContext& context, const Machine& machine, const State& state,
                std::string_view outcome) {
  const Exploration& found = context.exploration(machine);
  Untaken result{!found.complete()};
  for (std::uint32_t i = 0; i < found.edges.size(); ++i) {
    const Edge& edge = found.edges[i];
    const Input& input = found.alphabet[edge.input];
    const bool is_it = input.state == state.id && input.event.name == outcome &&
                       input.event.kind == chart::Event::Kind::outcome;
    const bool fails = found.configurations[edge.to].end == Configuration::End::failure;
    if (!is_it || !fails || edge.restless) continue;
    result.possible = true;
    if (edge.guessed || !found.configurations[edge.from].certain) continue;
    Played played = play_along(context, machine, found, i);
    if (!played.confirmed) continue;
    result.trace = std::move(played.trace);
    break;
  }
  return result;
}

const State* NextInARun::from(const State& state) const {
  const State* next = by_text_.from(state);
  if (!next) return nullptr;
  const Exploration& found = context_.exploration(machine_);
  if (!found.complete()) return next;
  std::vector<bool> seen(found.configurations.size());
  std::deque<std::uint32_t> pending;
  for (const Edge& edge : found.edges) {
    const Input& input = found.alphabet[edge.input];
    const bool is_its_outcome = input.state == state.id &&
                                input.event.kind == chart::Event::Kind::outcome &&
                                !model::is_error(input.event.name);
    if (is_its_outcome) pending.push_back(edge.to);
  }
  while (!pending.empty()) {
    const Configuration& at = found.configurations[pending.front()];
    const bool is_new = !seen[pending.front()];
    seen[pending.front()] = true;
    pending.pop_front();
    if (!is_new || at.end != Configuration::End::none) continue;
    bool is_stopped = false;
    for (const StateId id : at.states) {
      if (fits_(machine_.state(id))) return &machine_.state(id);
      is_stopped = is_stopped || stops_(machine_.state(id));
    }
    if (is_stopped) continue;
    for (const Edge& edge : found.edges_from(at)) pending.push_back(edge.to);
  }
  return nullptr;
}

}  // namespace agneto::lint
