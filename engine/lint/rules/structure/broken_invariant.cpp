#include "lint/explore/judge.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

template <bool refuted>
void check(const LintContext& context, const Machine& machine, const Reporter& report) {
  for (std::size_t i = 0; i < machine.invariants.size(); ++i) {
    auto judgement = judge(context, machine, i);
    if (!judgement || judgement->refuted != refuted) continue;
    report(machine.code[machine.invariants[i].code].span, std::move(judgement->message))
        .help(judgement->help)
        .trace(std::move(judgement->trace));
  }
}

}  // namespace

extern const LintRule broken_invariant = {
    {"E233", "broken-invariant", "an invariant of the workflow's author that a run can break",
     R"(The events shown lead there, with the workflow's own Lua and the defaults of its inputs, or what a machine
that delegates to it gives. `never` says
what is false whenever the machine is at rest, `always_eventually` what can still become true as long
as it runs, `after` and `eventually` what is followed by what. An `eventually` is broken where the machine
ends, stops or goes round for ever without it, and nothing but an error, a failure or an event from outside
would change that. The workflow can be run all the same: a run does not look at invariants.)"},
    check<true>,
    true};

extern const LintRule unproven_invariant = {
    {"W234", "unproven-invariant", "an invariant that is neither proved nor disproved",
     R"(There are more configurations than are looked at, or it depends on what cannot be worked out without
running the workflow, such as a text or a list. So it may hold or not; nothing is claimed.)"},
    check<false>,
    true};

}  // namespace agneto::lint
