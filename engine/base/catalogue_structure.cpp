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
machine are not reached by name: delegate to it with `machine: FILE`.)",
     true},
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
    {"W215", "same-guard", "a transition behind another with the same guard",
     R"(Alternatives are tried in order, and a guard changes nothing, so that the second of two with the same
guard on the same event is never taken. One of them is probably meant to be another.)"},
    {"W216", "eventless-cycle", "eventless transitions that lead round in a circle for ever",
     R"(Each of these states is left as soon as it is entered, for another of them, so that the machine never
comes to rest. After 1000 steps it is ended as failed, and the activity that delegated to it in
`error.livelock`. Let one of the states wait for an event, or give a transition a guard that becomes
false.)"},
    {"W217", "passed-through", "a state that is left before anything in it can happen",
     R"(Eventless transitions come before everything else: a state with one that has no guard is left as soon
as it is entered. Its activity never starts, its timers never run, and it takes no event. Give the
transition a guard, or put it under `on`.)"},
    {"W218", "impossible-done", "a transition on `done.state.X` where nothing ends X",
     R"(`done.state.X` is raised when a final state directly inside the compound X is entered, or when every
region of the parallel X has ended so. An atomic state with an activity ends in the activity's
outcome instead.)"},
    {"W219", "untaken-done", "a compound state that ends, and nothing leads on",
     R"(A final state inside a compound ends that compound and not the machine. Nothing happens then but
`done.state.COMPOUND`; where no transition takes it, the machine waits until the run is suspended.)"},
    {"W220", "untaken-event", "an event that an action makes and no transition takes",
     R"(`raise` and `send` speak to the machine that they are in, and to no other. An event that no transition
of it takes is lost. To tell the machine around it something, end in an outcome with outputs.)"},
    {"W221", "shadowed-timer", "a timer behind a shorter one that always leaves the state",
     R"(The timers of a state begin when it is entered and end when it is left. Where the shorter one has no
guard, the longer never comes due.)"},
    {"W222", "single-region", "a parallel state with one region",
     R"(A parallel state is for what goes on at once. With one region it is a compound state that is hard to
read, or the other region is missing.)"},
    {"W223", "region-race", "two regions that assign one context name",
     R"(Regions go on at once, so that it depends on which gets there last what the name holds, and in another
run it may be the other. Assignments made of the old value, as in counting, are no race; neither are
those of one value, or on the way out of the parallel state.)"},
    {"W224", "trap", "a state from which no final state can be reached",
     R"(Taking every guard to be true and every event but `abort` to come, nothing leads from there to an end
of the machine: once in it, a run goes on until somebody aborts it. Of several such states the first
is shown.)"},
    {"W225", "undecided", "a state with one eventless transition whose guard may be false",
     R"(Nothing else happens in such a state, and no event is waited for, so that the guard is asked once.
Where it is false the run is suspended there. Say what is to happen then.)"},
    {"W226", "dead-transition", "a transition that guards never let be taken",
     R"(Every configuration of the machine was explored, with the flags and counters that its guards look at;
what is not known, such as a text, is taken to be anything. In none of them is the transition taken:
the guard is never true, or one before it always is.)"},
    {"W227", "deadlock", "a configuration in which the machine stops",
     R"(After the events shown, no activity and no timer runs, and no event is waited for, so that the run is
suspended. No guard on the way was guessed: it can be played with `agneto simulate`.)"},
    {"W228", "no-way-out", "a configuration from which the guards let no final state be reached",
     R"(The transitions would lead to an end of the machine, but after the events shown no guard on the way to
one ever becomes true again: once there, a run goes on until somebody aborts it. Of several such
configurations one that the fewest events lead to is shown. Inputs that are numbers were taken to be
small.)"},
    {"W229", "livelock", "a machine that goes round in a circle without waiting for anything",
     R"(After the events shown the machine takes eventless transitions, events that it raises or sends itself,
or machines that end at once, and comes back to where it was. Nobody and no time can get it out of
that: it is ended as failed, or it works for ever. Let it wait for something, or count how often it
goes round.)"},
    {"W230", "cancelled-work", "an end of the machine that cuts off an activity of another region",
     R"(A transition inside one region of a parallel state leads to a final state of the machine, while an
activity of another region still runs. What that would have come to is lost, and so are its changes.
Where that is meant, put the transition on the parallel state; else wait for `done.state.NAME`.)"},
    {"W231", "lost-event", "an event that is raised where nothing takes it",
     R"(`raise` queues an event for the states that are active in the same step. Some transition takes it, but
not where the machine is after the events shown: there it is lost without a word. Regions do not wait
for each other; a flag in the context does not get lost.)"},
    {"W232", "unreached-bound", "a counter that never comes to the bound it is compared with",
     R"(Every configuration was explored, with the defaults of the inputs, and the counter is always below its
bound where the two are compared: it is set back too early, or not counted where it should be. So the
bound ends nothing.)"},
    {"E233", "broken-invariant", "an invariant of the workflow's author that a run can break",
     R"(The events shown lead there, with the workflow's own Lua and the defaults of its inputs. `never` says
what is false whenever the machine is at rest, `always_eventually` what can still become true as long
as it runs. The workflow can be run all the same: a run does not look at invariants.)"},
    {"W234", "unproven-invariant", "an invariant that is neither proved nor disproved",
     R"(There are more configurations than are looked at, or it depends on what cannot be worked out without
running the workflow, such as a text or a list. So it may hold or not; nothing is claimed.)"},
    {"W235", "conflicting-regions", "regions that take one event and lead different ways",
     R"(Of two transitions in different regions, one of which leads out of the parallel state, only one can be
taken. It is the earlier one in the file, which nobody sees who reads the other.)"},
    {"W236", "general-first", "a special case behind a guarded transition that takes its event too",
     R"(`error` takes every error, `error.timeout` too. With a guard, and before the transition on the special
case, it decides by its place in the file alone which of the two is taken. Put the special case first, as
everybody reads it.)"},
};

}  // namespace

std::span<const Rule> structure_rules() {
  return rules;
}

}  // namespace agneto
