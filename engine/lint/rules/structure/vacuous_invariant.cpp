#include <algorithm>

#include "lint/explore/explore.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using Explored = std::vector<const Exploration*>;

bool is_never_true(const Explored& explored, std::size_t invariant) {
  return std::ranges::all_of(explored, [&](const Exploration* found) {
    return std::ranges::all_of(found->afters[invariant],
                               [](const Truth truth) { return truth == Truth::no; });
  });
}

bool is_never_true(const Explored& explored, std::size_t invariant, std::size_t part) {
  return std::ranges::all_of(explored, [&](const Exploration* found) {
    return !found->parts[invariant][part].can_be_true;
  });
}

}  // namespace

extern const LintRule vacuous_invariant = {
    {"W244", "vacuous-invariant", "an invariant that is proved because it is about nothing",
     R"(A part of what must `never` be, or what something has to come `after`, is false in every configuration
that the machine can get into. So the invariant holds whatever the machine does with the rest, and proves
nothing of it: a flag may be set too late, or never.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      if (machine.invariants.empty()) return;
      Explored explored = context.explored_as_given(machine, Numbers::defaults);
      explored.push_back(&context.exploration(machine, Numbers::defaults));
      if (!std::ranges::all_of(explored, &Exploration::complete)) return;
      for (std::size_t i = 0; i < machine.invariants.size(); ++i) {
        const model::Invariant& invariant = machine.invariants[i];
        if (invariant.after != none && is_never_true(explored, i)) {
          report(machine.code[invariant.after].span,
                 "this is never true, so that nothing follows it")
              .help("let something make it true, or ask for what was meant");
        }
        const auto& parts = explored.back()->parts[i];
        for (std::size_t part = 0; part < parts.size(); ++part) {
          if (!is_never_true(explored, i, part)) continue;
          report(place(context.piece(machine, invariant.code), *parts[part].node),
                 "this part is never true, so that the invariant is about nothing")
              .help("let something make it true, or ask for what was meant");
        }
      }
    },
    true};

}  // namespace agneto::lint
