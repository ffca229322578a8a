// Which transitions can be taken from an atomic or final state, those of the states around it
// included.
#pragma once

#include "model/machine.h"

namespace agneto::lint {

// Of a transition whose source is `inner` or a state around it: can it be taken while the machine
// is in `inner`? Not where it waits for the end of a state that does not end there
// (`done.state.SOURCE`), and not where a state between takes the event before it, whatever guards
// say.
bool can_follow(const model::Machine& machine, model::StateId inner,
                const model::Transition& transition);

}  // namespace agneto::lint
