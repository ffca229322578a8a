#include <algorithm>

#include "lint/merges.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

using Operation = model::WorkspaceOperation::Kind;

// The transition that takes the event whatever is so; null where none does.
const Transition* taker(const Machine& machine, const State& state, std::string_view event) {
  const Transition* first = first_taker(machine, state, event);
  return first && first->guard == none && first->targets.size() == 1 ? first : nullptr;
}

// Does the state merge, or commit and go on to the merge with nothing between?
bool leads_to_merge(const Machine& machine, const State& state) {
  if (is_merge(state)) return true;
  if (!is_operation(state, Operation::commit)) return false;
  const Transition* on = taker(machine, state, "ok");
  return on && is_merge(machine.state(on->targets.front()));
}

// Do both lead to the same state by the same actions, word for word?
bool are_alike(const Machine& machine, const Transition& one, const Transition& other) {
  return one.targets == other.targets &&
         std::ranges::equal(one.actions, other.actions, [&](CodeId a, CodeId b) {
           return machine.code[a].text == machine.code[b].text;
         });
}

}  // namespace

extern const LintRule merged_failure = {
    {"W610", "merged-failure", "a failed outcome that is merged like a good one",
     R"(The machine that was delegated to ends with `status: failed`, and this one goes on to the merge in the
same words as after an outcome that is complete. Where both are meant, one transition takes both:
`{event: [GOOD, BAD], target: MERGING}`.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto* delegate = std::get_if<model::Delegate>(&state.activity);
      if (!delegate) return;
      const auto all = ends(context.system.machine(delegate->machine));
      for (const State* bad : all) {
        if (bad->status != model::FinalStatus::failed) continue;
        const Transition* after = taker(machine, state, bad->outcome);
        if (!after || !leads_to_merge(machine, machine.state(after->targets.front()))) continue;
        const auto good = std::ranges::find_if(all, [&](const State* one) {
          const Transition* other = taker(machine, state, one->outcome);
          return one->status == model::FinalStatus::complete && other && other != after &&
                 are_alike(machine, *other, *after);
        });
        if (good == all.end()) continue;
        report(after->span, "after '{}', which has failed, this is merged as after '{}'",
               bad->outcome, (*good)->outcome)
            .help("lead elsewhere, or take both in one transition: event: [{}, {}]",
                  (*good)->outcome, bad->outcome)
            .related(bad->span, "the end that has failed");
      }
    }};

}  // namespace agneto::lint
