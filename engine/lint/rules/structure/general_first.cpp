#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Does the descriptor take the event as one of several, as `error` takes `error.timeout`? What is
// asked of every event is asked first on purpose.
bool is_general(const State& state, const std::string& descriptor, const std::string& event) {
  return descriptor != "any" && descriptor != event && model::takes(state, descriptor, event);
}

void check_pair(const Machine& machine, const State& state, const Transition& earlier,
                const Transition& later, const Reporter& report) {
  if (earlier.guard == none || have_same_effect(earlier, later)) return;
  // Its guard may leave out the special case by the event's name.
  if (machine.code[earlier.guard].text.find("event") != std::string::npos) return;
  for (const std::string& event : later.events) {
    for (const std::string& descriptor : earlier.events) {
      if (!is_general(state, descriptor, event)) continue;
      report(later.span,
             "the transition on '{}' before this takes '{}' too where its guard is true",
             descriptor, event)
          .help("put the special case first")
          .related(earlier.span, "the general one");
      return;
    }
  }
}

}  // namespace

extern const LintRule general_first = {
    {"W236", "general-first", "a special case behind a guarded transition that takes its event too",
     R"(`error` takes every error, `error.timeout` too. With a guard, and before the transition on the special
case, it decides by its place in the file alone which of the two is taken. Put the special case first, as
everybody reads it.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      for (std::size_t i = 0; i < state.on.size(); ++i) {
        for (std::size_t j = first_compared(i); j < i; ++j) {
          check_pair(machine, state, machine.transitions[state.on[j]],
                     machine.transitions[state.on[i]], report);
        }
      }
    }};

}  // namespace agneto::lint
