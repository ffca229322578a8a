#include <algorithm>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/number_tests.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

bool takes_all(const State& state, const Transition& earlier, const Transition& later) {
  return std::ranges::all_of(later.events, [&](const std::string& event) {
    return std::ranges::any_of(
        earlier.events, [&](const std::string& one) { return model::takes(state, one, event); });
  });
}

// Does the test follow from what is asked, or from one of several things that are all asked?
bool covers(const Machine& machine, const NumberTest& wide, const Node& asked) {
  if (asked.is(Node::Kind::binary, "and")) {
    return covers(machine, wide, asked.children[0]) || covers(machine, wide, asked.children[1]);
  }
  const auto narrow = number_test(machine, asked);
  return narrow && wide.same_entry(*narrow) && follows(wide, *narrow);
}

// Is the guard before always true where the later one is? A guard changes nothing, so that asking
// it twice about one event gives one answer.
bool covers(const LintContext& context, const Machine& machine, CodeId earlier, CodeId later) {
  const Piece& before = context.piece(machine, earlier);
  const Piece& behind = context.piece(machine, later);
  if (trim(before.code->text) == trim(behind.code->text)) return true;
  if (!before.tree || !behind.tree) return false;
  const auto wide = number_test(machine, expression(before));
  return wide && covers(machine, *wide, expression(behind));
}

void check_list(const LintContext& context, const Machine& machine, const State& state,
                const std::vector<TransitionId>& ids, const Reporter& report) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Transition& later = machine.transitions[ids[i]];
    if (later.guard == none) continue;
    for (std::size_t j = first_compared(i); j < i; ++j) {
      const Transition& earlier = machine.transitions[ids[j]];
      if (earlier.guard == none || earlier.timer != later.timer) continue;
      if (!covers(context, machine, earlier.guard, later.guard)) continue;
      if (!takes_all(state, earlier, later)) continue;
      report(machine.code[later.guard].span,
             "where this is true the guard before it is true, so that this is never taken")
          .help("put the narrower of the two first, or change one of them")
          .related(machine.code[earlier.guard].span, "the guard before it");
      break;
    }
  }
}

}  // namespace

extern const LintRule same_guard = {
    {"W215", "same-guard", "a transition behind another with the same guard, or a wider one",
     R"(Alternatives are tried in order, and a guard changes nothing, so that the second of two with the same
guard on the same event is never taken, nor one with `ctx.n > 10` behind one with `ctx.n > 1`. Put the
narrower one first; of two that are the same, one is probably meant to be another.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      for (const auto* ids : {&state.on, &state.always, &state.after}) {
        check_list(context, machine, state, *ids, report);
      }
    }};

}  // namespace agneto::lint
