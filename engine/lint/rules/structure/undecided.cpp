#include <algorithm>

#include "lint/expressions.h"
#include "lint/number_tests.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// A value for which no guard is true, where all of them compare one number; else none.
std::optional<double> left_out_by(const LintContext& context, const Machine& machine,
                                  const State& state) {
  std::vector<NumberTest> tests;
  for (const TransitionId id : state.always) {
    const CodeId guard = machine.transitions[id].guard;
    if (guard == none || !context.piece(machine, guard).tree) return std::nullopt;
    const auto test = number_test(machine, expression(context.piece(machine, guard)));
    if (!test || (!tests.empty() && !test->same_entry(tests.front()))) return std::nullopt;
    tests.push_back(*test);
  }
  return left_out(tests);
}

}  // namespace

extern const LintRule undecided = {
    {"W225", "undecided", "a state with eventless transitions alone, whose guards may all be false",
     R"(Nothing else happens in such a state, and no event is waited for, so that the guards are asked once.
Where they are false the run is suspended there. Say what is to happen then. Of several guards that may
complete each other, those are looked at that compare one number.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      if (state.kind != StateKind::atomic || state.has_activity() || state.always.empty()) return;
      const auto value =
          state.always.size() > 1 ? left_out_by(context, machine, state) : std::nullopt;
      if (state.always.size() > 1 && !value) return;
      const Transition& transition = machine.transitions[state.always.back()];
      if (transition.guard == none) return;
      // Can anything but its own eventless transitions lead out? In another region of a parallel
      // state anything may happen, and the guards be asked again.
      const bool may_go_on =
          std::ranges::any_of(lineage(machine, state.id), [&](const State* around) {
            return around->kind == StateKind::parallel || !around->after.empty() ||
                   (around->id != state.id && !around->always.empty()) ||
                   waits_for_event(machine, *around);
          });
      if (may_go_on) return;
      const Span place = machine.code[transition.guard].span;
      (value ? report(place, "where it is {}, no guard is true, and nothing ever happens in '{}'",
                      *value, state.name)
             : report(place, "where this is false, nothing ever happens in '{}'", state.name))
          .help("add an alternative without a guard behind it");
    }};

}  // namespace agneto::lint
