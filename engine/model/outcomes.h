// What an activity can end in: the one table of the names and fields of its outcomes, and the
// errors.
//
// Some outcomes are declared, as verdicts, options and the final states of another machine are; the
// others are the engine's own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/machine.h"

namespace agneto::model {

struct Outcome {
  std::string name;
  std::vector<Field> fields;          // of the event that it is
  std::string_view what = "outcome";  // as messages call it: "verdict", "option", "outcome"
  Span span;                          // where it is declared, or else its state
  Span related;                       // the final state of the other machine
};

// In the order of the file; empty where the state has no activity.
std::vector<Outcome> outcomes(const State& state, const System& system);

// Does an activity of any machine end in it? Then the event tells of that activity, and nobody
// sends it from outside.
bool is_outcome(std::string_view event, const System& system);

// Does an activity of the machine end in it?
bool ends_in(const Machine& machine, std::string_view event, const System& system);

// The one with that name; null where there is none.
const Outcome* find(const std::vector<Outcome>& outcomes, std::string_view name);

// The engine's own of the activity with that key ("agent", "ask", "for_each", "run", "workspace"):
// of a call without verdicts, of a question without options. `conflict` is a merge's alone.
std::vector<Outcome> engine_outcomes(std::string_view activity);

bool is_engine_outcome(std::string_view name);

// The engine's own errors: "error.timeout", "error.exit" and so on, the common ones first. No
// activity ends in `undelivered`, which is none of them.
const std::vector<std::string>& engine_errors();

// Is it the name of an error, known or not?
bool is_error(std::string_view event);

// Is it one of the engine's, or one that a transition of the system takes by name? A provider of a
// team may give errors of its own. `error` alone stands for any; `undelivered` is none.
bool is_known_error(std::string_view event, const System& system);

// The fields of any error.
const std::vector<Field>& error_fields();

// The fields of `done.state.COMPOUND`, by whichever of the final states in it that comes.
std::vector<Field> done_fields(const Machine& machine, StateId compound);

// The fields of a question's option.
std::vector<Field> option_fields(Need feedback, bool edits);

// The transitions that an event's name can find in the state and around it, innermost first.
std::vector<TransitionId> takers(const Machine& machine, StateId state, std::string_view event);

}  // namespace agneto::model
