#include <algorithm>
#include <deque>

#include "lint/explore/explore.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// By StateId: is it ever active in a run in which somebody can be asked?
std::vector<bool> met_by_people(const Machine& machine, const Exploration& found) {
  std::vector<bool> met(machine.states.size());
  std::vector<bool> seen(found.configurations.size());
  std::deque<std::uint32_t> pending;
  const auto add = [&](std::uint32_t at) {
    if (!seen[at]) pending.push_back(at);
    seen[at] = true;
  };
  for (std::uint32_t at = 0; at < found.configurations.size(); ++at) {
    const std::int64_t by = found.configurations[at].found_by;
    if (by < 0 && found.beginnings[static_cast<std::size_t>(-1 - by)].run.interactive) add(at);
  }
  while (!pending.empty()) {
    const Configuration& one = found.configurations[pending.front()];
    pending.pop_front();
    for (const StateId state : one.states) met[state] = true;
    for (const Edge& edge : found.edges_from(one)) add(edge.to);
  }
  return met;
}

}  // namespace

extern const LintRule absent_person = {
    {"W441", "absent-person", "a question that is asked only where nobody can be asked",
     R"(A guard on `run.interactive` leads there only in runs that have nobody to ask: the question suspends the
run, as it has no default, and a person who is there never sees it. The guard is probably meant the other
way round.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const Exploration& found = context.exploration(machine);
      const bool depends = std::ranges::any_of(
          found.beginnings, [](const Beginning& one) { return !one.run.interactive; });
      if (!depends || !found.complete()) return;
      const std::vector<bool> met = met_by_people(machine, found);
      for (const State& state : machine.states) {
        const auto* ask = std::get_if<model::Ask>(&state.activity);
        // A default may be there to have the log say what was decided.
        if (!ask || !ask->default_option.empty()) continue;
        if (!found.entered[state.id] || met[state.id]) continue;
        report(state.span, "'{}' is asked only where nobody can be asked, and suspends the run",
               state.name)
            .help("turn the guard on `run.interactive` round that leads there");
      }
    },
    true};

}  // namespace agneto::lint
