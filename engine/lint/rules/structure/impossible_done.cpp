#include <algorithm>

#include "base/text.h"
#include "chart/tables.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

bool can_end(const Machine& machine, const State& state) {
  const auto ends = [&](StateId id) {
    const State& child = machine.state(id);
    if (state.kind == StateKind::compound) return child.kind == StateKind::final;
    return chart::is_history(child) || can_end(machine, child);
  };
  if (state.kind == StateKind::compound) return std::ranges::any_of(state.children, ends);
  return state.kind == StateKind::parallel && std::ranges::all_of(state.children, ends);
}

}  // namespace

extern const LintRule impossible_done = {
    {"W218", "impossible-done", "a transition on `done.state.X` where nothing ends X",
     R"(`done.state.X` is raised when a final state directly inside the compound X is entered, or when every
region of the parallel X has ended so. An atomic state with an activity ends in the activity's
outcome instead.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      std::vector<std::string> ending;
      for (const State& state : machine.states) {
        if (state.id != 0 && can_end(machine, state)) ending.push_back(state.name);
      }
      for (const Transition& transition : machine.transitions) {
        for (const std::string& event : transition.events) {
          if (!event.starts_with(model::done_of_state)) continue;
          const std::string name = event.substr(model::done_of_state.size());
          if (std::ranges::find(ending, name) != ending.end()) continue;
          const StateId id = machine.find(name);
          if (id == none) {
            report(transition.span, "there is no state '{}' that '{}' could be about", name, event)
                .help(suggestion(name, ending, "states that can be done"));
          } else {
            report(transition.span, "'{}' never happens: nothing ends '{}'", event, name)
                .help(machine.state(id).kind == StateKind::atomic
                          ? "what an activity ends in is an event of its own, such as `ok` or a "
                            "verdict"
                          : "a compound state is done when a final state in it is entered, a "
                            "parallel one when all its regions are");
          }
        }
      }
    }};

}  // namespace agneto::lint
