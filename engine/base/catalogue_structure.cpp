#include "base/catalogue.h"

namespace agneto {

namespace {

constexpr Rule rules[] = {
    {"E201", "duplicate-state", "two states of one name in a file",
     R"(A target names a state wherever it is in the file, so that names are unique in the whole of it,
not only among neighbours. Rename one of them.)"},
    {"E202", "bad-region", "a region of a parallel state that is final",
     R"(All regions of a parallel state are entered at once, and a region that is final from the start does
nothing. Put the final state into a region: that ends the region, and when all have ended,
`done.state.PARALLEL` follows.)"},
    {"E203", "undefined-target", "a target that names no state of the file",
     R"(A transition, an `initial` or a `default` leads to a state of the same file. States of another
machine are not reached by name: delegate to it with `machine: FILE`.)"},
    {"E204", "bad-targets", "targets that cannot be entered together, or from there",
     R"(Several targets must be in different regions of a parallel state, or they could not be active at
once. An `initial` names a state inside, and the `default` of a history a state of the compound that
it is in.)"},
    {"E205", "endless", "an eventless transition that is taken for ever",
     R"(A transition under `always` needs no event. Without a guard and without a target it would be taken
again and again. Give it a target or a guard; what is to be done once belongs into `entry`.)"},
    {"E206", "never-tried", "an alternative behind one that is always taken",
     R"(The alternatives in a list are tried in order, and one without a guard always fits, so that it may
only be the last. To enter several states at once write `{target: [A, B]}`.)"},
    {"W207", "bad-internal", "an `internal` that has no effect",
     R"(An internal transition does not leave its source, which makes a difference only where the source is
compound and every target inside it. Elsewhere the word promises what does not happen.)"},
    {"W210", "unreachable-state", "a state that no transition and no start leads to",
     R"(Taking every guard to be true and every event to come, nothing leads there. Give a transition or
the `initial` around it this target, or remove the state. What is inside it is not listed again.)"},
    {"W211", "dead-end", "a state that is not final, without an activity and without a transition",
     R"(Nothing happens in such a state, so that a machine which gets there waits until the run is
suspended. Add `final: true` if the machine ends there, or what it is to do or to wait for.)"},
    {"W212", "never-ends", "a machine that no final state ends",
     R"(A run ends when its machine enters a final state directly under `states`, and an activity that
delegates ends when the other machine does. Without one it goes on until a limit or a person stops
it.)"},
    {"W213", "region-crossing", "a transition from one region of a parallel state to another",
     R"(Regions are active together, so that going from one to another leaves the whole parallel state and
enters it again: every activity in every region is cancelled and begins anew. If the other region
alone is to move, raise an event that it takes.)"},
    {"W214", "shadowed-transition",
     "a transition whose events one before it in the same state always takes",
     R"(The first transition in document order that takes the event and whose guard holds is chosen. One
before this has no guard and takes every event that this one takes. Put the special case first, or
give the other a guard.)"},
};

}  // namespace

std::span<const Rule> structure_rules() {
  return rules;
}

}  // namespace agneto
